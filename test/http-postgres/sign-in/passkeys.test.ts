import '../../harness/on-postgres.ts';
import '../../http/sign-in/passkeys.test.ts';
import '../../harness/then-remove-postgres.ts';
