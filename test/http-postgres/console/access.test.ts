import '../../harness/on-postgres.ts';
import '../../http/console/access.test.ts';
import '../../harness/then-remove-postgres.ts';
