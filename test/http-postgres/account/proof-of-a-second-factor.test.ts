import '../../harness/on-postgres.ts';
import '../../http/account/proof-of-a-second-factor.test.ts';
import '../../harness/then-remove-postgres.ts';
