import '../../harness/on-postgres.ts';
import '../../http/sign-in/second-step.test.ts';
import '../../harness/then-remove-postgres.ts';
