import '../../harness/on-postgres.ts';
import '../../http/api/api.test.ts';
import '../../harness/then-remove-postgres.ts';
