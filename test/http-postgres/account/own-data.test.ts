import '../../harness/on-postgres.ts';
import '../../http/account/own-data.test.ts';
import '../../harness/then-remove-postgres.ts';
