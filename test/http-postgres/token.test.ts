import '../harness/on-postgres.ts';
import '../http/token.test.ts';
import '../harness/then-remove-postgres.ts';
