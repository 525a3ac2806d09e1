import '../harness/on-postgres.ts';
import '../http/account.test.ts';
import '../harness/then-remove-postgres.ts';
