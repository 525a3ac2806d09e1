import '../../harness/on-postgres.ts';
import '../../http/sign-in/recovery-codes.test.ts';
import '../../harness/then-remove-postgres.ts';
