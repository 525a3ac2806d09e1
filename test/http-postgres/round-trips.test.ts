import '../harness/on-postgres.ts';
import '../http/round-trips.test.ts';
import '../harness/then-remove-postgres.ts';
