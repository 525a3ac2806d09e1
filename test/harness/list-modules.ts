// Preloaded into a process under test: writes which modules it has loaded to the file that LIST_MODULES names, when it ends.

import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded: string[] = [];
registerHooks({
  load(url, context, nextLoad) {
    loaded.push(url);
    return nextLoad(url, context);
  },
});
process.on('exit', () => {
  // What Node loads for itself, such as the client behind `fetch`, isn't documented anywhere else.
  const ofNode = Reflect.get(process, 'moduleLoadList') as readonly string[];
  if (process.env.LIST_MODULES) writeFileSync(process.env.LIST_MODULES, [...loaded, ...ofNode].join('\n'));
});
