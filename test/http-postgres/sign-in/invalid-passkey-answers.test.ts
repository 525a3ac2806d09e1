import '../../harness/on-postgres.ts';
import '../../http/sign-in/invalid-passkey-answers.test.ts';
import '../../harness/then-remove-postgres.ts';
