import '../harness/on-postgres.ts';
import '../http/wrong-clock.test.ts';
import '../harness/then-remove-postgres.ts';
