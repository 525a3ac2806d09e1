import '../harness/on-postgres.ts';
import '../http/hardening.test.ts';
import '../harness/then-remove-postgres.ts';
