import '../../harness/on-postgres.ts';
import '../../http/oauth/error-descriptions.test.ts';
import '../../harness/then-remove-postgres.ts';
