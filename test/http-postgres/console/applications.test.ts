import '../../harness/on-postgres.ts';
import '../../http/console/applications.test.ts';
import '../../harness/then-remove-postgres.ts';
