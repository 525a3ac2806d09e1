import '../harness/on-postgres.ts';
import '../http/hostile-text.test.ts';
import '../harness/then-remove-postgres.ts';
