import '../../harness/on-postgres.ts';
import '../../http/account/password.test.ts';
import '../../harness/then-remove-postgres.ts';
