import '../../harness/on-postgres.ts';
import '../../http/oauth/consent.test.ts';
import '../../harness/then-remove-postgres.ts';
