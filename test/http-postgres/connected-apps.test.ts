import '../harness/on-postgres.ts';
import '../http/connected-apps.test.ts';
import '../harness/then-remove-postgres.ts';
