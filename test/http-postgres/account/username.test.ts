import '../../harness/on-postgres.ts';
import '../../http/account/username.test.ts';
import '../../harness/then-remove-postgres.ts';
