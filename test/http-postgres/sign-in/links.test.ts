import '../../harness/on-postgres.ts';
import '../../http/sign-in/links.test.ts';
import '../../harness/then-remove-postgres.ts';
