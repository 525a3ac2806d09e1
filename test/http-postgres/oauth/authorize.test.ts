import '../../harness/on-postgres.ts';
import '../../http/oauth/authorize.test.ts';
import '../../harness/then-remove-postgres.ts';
