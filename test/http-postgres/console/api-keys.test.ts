import '../../harness/on-postgres.ts';
import '../../http/console/api-keys.test.ts';
import '../../harness/then-remove-postgres.ts';
