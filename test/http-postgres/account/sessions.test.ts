import '../../harness/on-postgres.ts';
import '../../http/account/sessions.test.ts';
import '../../harness/then-remove-postgres.ts';
