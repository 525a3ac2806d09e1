import '../../harness/on-postgres.ts';
import '../../http/sign-in/reset-password.test.ts';
import '../../harness/then-remove-postgres.ts';
