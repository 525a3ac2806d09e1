import '../harness/on-postgres.ts';
import '../http/draining.test.ts';
import '../harness/then-remove-postgres.ts';
