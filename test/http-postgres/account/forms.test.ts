import '../../harness/on-postgres.ts';
import '../../http/account/forms.test.ts';
import '../../harness/then-remove-postgres.ts';
