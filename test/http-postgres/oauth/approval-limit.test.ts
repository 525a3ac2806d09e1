import '../../harness/on-postgres.ts';
import '../../http/oauth/approval-limit.test.ts';
import '../../harness/then-remove-postgres.ts';
