import '../../harness/on-postgres.ts';
import '../../http/sign-in/new-password.test.ts';
import '../../harness/then-remove-postgres.ts';
