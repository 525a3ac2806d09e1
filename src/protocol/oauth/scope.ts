// Scopes: which ones exist, and which ones a request gets.

export const supportedScopes = ['openid', 'profile', 'email'] as const;
export type Scope = (typeof supportedScopes)[number];

export function isScope(value: string): value is Scope {
  return (supportedScopes as readonly string[]).includes(value);
}

/**
 * The scopes that a request gets: all that are allowed when it names none, undefined when it names one that is unknown or
 * not allowed. They are always in the order of `supportedScopes`, so that equal sets make equal strings.
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

/** Reads scopes that the service itself has written. There are few different strings, so each is parsed once. */
export function parseScopes(text: string): readonly Scope[] {
  let scopes = parsed.get(text);
  if (scopes === undefined) {
    scopes = text.split(' ').filter(isScope);
    parsed.set(text, scopes);
  }
  return scopes;
}

/** The granted scopes, without those that are no longer registered for the client. */
export function commonScopes(granted: readonly Scope[], allowed: readonly Scope[]): Scope[] {
  return granted.filter((scope) => allowed.includes(scope));
}

export function coversScopes(held: readonly Scope[], wanted: readonly Scope[]): boolean {
  return wanted.every((scope) => held.includes(scope));
}
