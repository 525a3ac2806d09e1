import '../../harness/on-postgres.ts';
import '../../http/account/large-download.test.ts';
import '../../harness/then-remove-postgres.ts';
