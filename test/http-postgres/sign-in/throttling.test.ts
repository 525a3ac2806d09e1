import '../../harness/on-postgres.ts';
import '../../http/sign-in/throttling.test.ts';
import '../../harness/then-remove-postgres.ts';
