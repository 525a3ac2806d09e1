import '../../harness/on-postgres.ts';
import '../../http/sign-in/sign-in.test.ts';
import '../../harness/then-remove-postgres.ts';
