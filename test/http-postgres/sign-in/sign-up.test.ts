import '../../harness/on-postgres.ts';
import '../../http/sign-in/sign-up.test.ts';
import '../../harness/then-remove-postgres.ts';
