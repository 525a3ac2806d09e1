// The command line of a checkout. Its import statements name files exactly, so this finds them where they say, instead of the way
// that Node does it, which looks at the file system and at package.json for each of two thousand: an eighth of a start. What isn't
// a source file of ours is left to Node, and what a file contains is read by Node as ever.

import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isSource = specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL !== undefined;
    if (!isSource) return nextResolve(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true };
  },
});
await import('./main.ts');
