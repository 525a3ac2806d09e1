import '../harness/on-postgres.ts';
import '../http/bad-input.test.ts';
import '../harness/then-remove-postgres.ts';
