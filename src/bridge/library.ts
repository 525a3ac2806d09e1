// The library, without what it says to the terminal about versions of Node while it's loaded: Latchkey pins its own, and the
// log has a line of JSON for each entry.

export type * from 'oidc-provider';

const { warn } = console;
console.warn = () => {};
const library = await import('oidc-provider').finally(() => {
  console.warn = warn;
});

export const { Provider, errors, interactionPolicy } = library;
