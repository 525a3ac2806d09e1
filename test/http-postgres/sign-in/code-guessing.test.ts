import '../../harness/on-postgres.ts';
import '../../http/sign-in/code-guessing.test.ts';
import '../../harness/then-remove-postgres.ts';
