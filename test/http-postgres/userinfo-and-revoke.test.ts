import '../harness/on-postgres.ts';
import '../http/userinfo-and-revoke.test.ts';
import '../harness/then-remove-postgres.ts';
