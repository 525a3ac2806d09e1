// Preloaded into a process under test: writes which modules it has loaded, and which formats of Intl it has made, to the file
// that LIST_MODULES names, when it ends.

import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded: string[] = [];
registerHooks({
  load(url, context, nextLoad) {
    loaded.push(url);
    return nextLoad(url, context);
  },
});
const format = Number.prototype.toLocaleString;
Number.prototype.toLocaleString = function (...args) {
  loaded.push('Intl.NumberFormat');
  return format.apply(this, args);
};
for (const name of [
  'DateTimeFormat',
  'ListFormat',
  'NumberFormat',
  'PluralRules',
  'RelativeTimeFormat',
  'Segmenter',
] as const) {
  const construct = (made: object, args: unknown[]) => {
    loaded.push(`Intl.${name}`);
    return Reflect.construct(made as new () => object, args);
  };
  Object.defineProperty(Intl, name, { value: new Proxy(Intl[name], { construct }) });
}
process.on('exit', () => {
  // What Node loads for itself, such as the client behind `fetch`, isn't documented anywhere else.
  const ofNode = Reflect.get(process, 'moduleLoadList') as readonly string[];
  if (process.env.LIST_MODULES) writeFileSync(process.env.LIST_MODULES, [...loaded, ...ofNode].join('\n'));
});
