import '../../harness/on-postgres.ts';
import '../../http/oauth/userinfo-and-revoke.test.ts';
import '../../harness/then-remove-postgres.ts';
