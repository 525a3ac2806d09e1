import '../../harness/on-postgres.ts';
import '../../http/oauth/round-trips.test.ts';
import '../../harness/then-remove-postgres.ts';
