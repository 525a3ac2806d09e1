import '../../harness/on-postgres.ts';
import '../../http/oauth/second-factor-claims.test.ts';
import '../../harness/then-remove-postgres.ts';
