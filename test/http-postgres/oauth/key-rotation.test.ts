import '../../harness/on-postgres.ts';
import '../../http/oauth/key-rotation.test.ts';
import '../../harness/then-remove-postgres.ts';
