import '../../harness/on-postgres.ts';
import '../../http/console/events.test.ts';
import '../../harness/then-remove-postgres.ts';
