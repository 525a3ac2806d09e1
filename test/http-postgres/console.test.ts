import '../harness/on-postgres.ts';
import '../http/console.test.ts';
import '../harness/then-remove-postgres.ts';
