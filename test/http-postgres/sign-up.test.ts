import '../harness/on-postgres.ts';
import '../http/sign-up.test.ts';
import '../harness/then-remove-postgres.ts';
