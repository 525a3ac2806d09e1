import '../../harness/on-postgres.ts';
import '../../http/account/authenticator-app.test.ts';
import '../../harness/then-remove-postgres.ts';
