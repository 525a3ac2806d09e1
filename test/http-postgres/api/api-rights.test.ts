import '../../harness/on-postgres.ts';
import '../../http/api/api-rights.test.ts';
import '../../harness/then-remove-postgres.ts';
