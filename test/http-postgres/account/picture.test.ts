import '../../harness/on-postgres.ts';
import '../../http/account/picture.test.ts';
import '../../harness/then-remove-postgres.ts';
