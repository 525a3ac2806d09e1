// Where the command line starts, in a checkout and in a release. Import statements of ours name files exactly, so this finds them
// where they say, instead of the way that Node does it, which looks at the file system and at package.json for each of the two
// thousand in a checkout: an eighth of a start. What isn't a file of ours is left to Node, and what a file contains is read by Node
// as ever.

import { registerHooks } from 'node:module';

const bundle = new URL('../bundle/', import.meta.url).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL } = context;
    if (parentURL === undefined || !specifier.startsWith('.')) return nextResolve(specifier, context);
    const isSource = specifier.endsWith('.ts');
    if (!isSource && !parentURL.startsWith(bundle)) return nextResolve(specifier, context);
    const format = isSource ? 'module-typescript' : 'module';
    return { url: new URL(specifier, parentURL).href, format, shortCircuit: true };
  },
});
await import('./main.ts');
