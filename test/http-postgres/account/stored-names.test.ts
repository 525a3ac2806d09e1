import '../../harness/on-postgres.ts';
import '../../http/account/stored-names.test.ts';
import '../../harness/then-remove-postgres.ts';
