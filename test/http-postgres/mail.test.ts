import '../harness/on-postgres.ts';
import '../http/mail.test.ts';
import '../harness/then-remove-postgres.ts';
