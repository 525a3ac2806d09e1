import '../../harness/on-postgres.ts';
import '../../http/account/passkeys.test.ts';
import '../../harness/then-remove-postgres.ts';
