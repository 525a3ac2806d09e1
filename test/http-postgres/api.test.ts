import '../harness/on-postgres.ts';
import '../http/api.test.ts';
import '../harness/then-remove-postgres.ts';
