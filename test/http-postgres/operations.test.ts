import '../harness/on-postgres.ts';
import '../http/operations.test.ts';
import '../harness/then-remove-postgres.ts';
