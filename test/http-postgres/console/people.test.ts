import '../../harness/on-postgres.ts';
import '../../http/console/people.test.ts';
import '../../harness/then-remove-postgres.ts';
