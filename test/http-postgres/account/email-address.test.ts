import '../../harness/on-postgres.ts';
import '../../http/account/email-address.test.ts';
import '../../harness/then-remove-postgres.ts';
