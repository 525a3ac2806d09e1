// npm start: installs what is missing, then runs the service and the demo application.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, root } from './prepare.js';

ensureInstalled({ tools: false });
const service = spawn(join(root, 'latchkey'), ['demo', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
// A terminal sends Ctrl-C to every process; a supervisor sends its signal to this one alone.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => service.kill(signal));
service.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)));
