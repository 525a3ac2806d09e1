import '../../harness/on-postgres.ts';
import '../../http/sign-in/email-requests.test.ts';
import '../../harness/then-remove-postgres.ts';
