import '../harness/on-postgres.ts';
import '../http/throttling.test.ts';
import '../harness/then-remove-postgres.ts';
