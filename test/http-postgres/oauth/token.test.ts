import '../../harness/on-postgres.ts';
import '../../http/oauth/token.test.ts';
import '../../harness/then-remove-postgres.ts';
