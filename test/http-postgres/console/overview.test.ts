import '../../harness/on-postgres.ts';
import '../../http/console/overview.test.ts';
import '../../harness/then-remove-postgres.ts';
