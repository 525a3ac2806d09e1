import '../../harness/on-postgres.ts';
import '../../http/account/profile.test.ts';
import '../../harness/then-remove-postgres.ts';
