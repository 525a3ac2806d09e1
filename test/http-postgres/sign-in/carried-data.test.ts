import '../../harness/on-postgres.ts';
import '../../http/sign-in/carried-data.test.ts';
import '../../harness/then-remove-postgres.ts';
