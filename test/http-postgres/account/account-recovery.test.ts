import '../../harness/on-postgres.ts';
import '../../http/account/account-recovery.test.ts';
import '../../harness/then-remove-postgres.ts';
