import '../harness/on-postgres.ts';
import '../http/authorize.test.ts';
import '../harness/then-remove-postgres.ts';
