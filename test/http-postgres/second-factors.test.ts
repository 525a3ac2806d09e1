import '../harness/on-postgres.ts';
import '../http/second-factors.test.ts';
import '../harness/then-remove-postgres.ts';
