// Scopes: what an application may ask for, and how a request's scope string becomes a list.

export const supportedScopes = ['openid', 'profile', 'email'] as const;
export type Scope = (typeof supportedScopes)[number];

export function isScope(value: string): value is Scope {
  return (supportedScopes as readonly string[]).includes(value);
}

/**
 * The scopes that a request gets out of those it is allowed: all of them when it names none, undefined when it names
 * one that is unknown or not allowed. The order is always that of `supportedScopes`, so equal sets are equal strings.
 */
export function chooseScopes(requested: string | undefined, allowed: readonly Scope[]): Scope[] | undefined {
  const names = requested?.split(' ').filter((name) => name !== '') ?? [];
  if (names.length === 0) return supportedScopes.filter((scope) => allowed.includes(scope));
  if (names.some((name) => !isScope(name) || !allowed.includes(name))) return undefined;
  return supportedScopes.filter((scope) => names.includes(scope));
}

export function formatScopes(scopes: readonly Scope[]): string {
  return scopes.join(' ');
}

const parsed = new Map<string, readonly Scope[]>();

/** Reads scopes that the service itself has written: few different texts, each read once. */
export function parseScopes(text: string): readonly Scope[] {
  let scopes = parsed.get(text);
  if (scopes === undefined) {
    scopes = text.split(' ').filter(isScope);
    parsed.set(text, scopes);
  }
  return scopes;
}

/** What was granted, less what the client has lost since. */
export function commonScopes(granted: readonly Scope[], allowed: readonly Scope[]): Scope[] {
  return granted.filter((scope) => allowed.includes(scope));
}

export function coversScopes(held: readonly Scope[], wanted: readonly Scope[]): boolean {
  return wanted.every((scope) => held.includes(scope));
}
