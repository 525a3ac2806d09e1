import '../../harness/on-postgres.ts';
import '../../http/account/connected-apps.test.ts';
import '../../harness/then-remove-postgres.ts';
