// Scopes: which ones exist, and which ones a request gets.

import { quoteForOAuth } from '../reading/body.ts';
import { includes } from '../reading/includes.ts';

export const supportedScopes = ['openid', 'profile', 'email'] as const;
export type Scope = (typeof supportedScopes)[number];

export function isScope(value: string): value is Scope {
  return includes(supportedScopes, value);
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

/** `ignored` are unknown scopes. */
type ChosenScopes = { kind: 'chosen'; scopes: readonly Scope[]; ignored: readonly string[] };
export type RequestedScopes = ChosenScopes | { kind: 'invalid'; description: string };

/** The form of RFC 6749, section 3.3. */
const scopeForm = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/**
 * The scopes that an authorization request gets. Unknown ones next to known ones are ignored, as OpenID Connect Core
 * 3.1.2.1 wants: many clients ask for some that only other services have.
 */
export function readRequestedScopes(requested: string | undefined, registered: readonly Scope[]): RequestedScopes {
  const read = chooseRequested(requested, registered);
  return read.kind === 'invalid' ? { kind: 'invalid', description: `${read.problem}.` } : read;
}

/** With a problem that goes into a sentence. */
export function chooseRequested(
  requested: string | undefined,
  registered: readonly Scope[],
): ChosenScopes | { kind: 'invalid'; problem: string } {
  const names = scopeNames(requested);
  const malformed = names.filter((name) => !scopeForm.test(name));
  if (malformed.length > 0) return invalid('Malformed scope', malformed);
  const unregistered = names.filter((name) => isScope(name) && !registered.includes(name));
  if (unregistered.length > 0) return invalid('Scope not registered for this client', unregistered);
  const ignored = names.filter((name) => !isScope(name));
  if (names.length > 0 && ignored.length === names.length) return invalid('Unknown scope', ignored);
  const asked = names.filter((name) => isScope(name)).join(' ');
  return { kind: 'chosen', scopes: chooseScopes(asked, registered) ?? [], ignored };
}

/** Names the scopes that a refresh asks for although they weren't granted. */
export function describeUngranted(requested: string | undefined, granted: readonly Scope[]): string {
  const ungranted = scopeNames(requested).filter((name) => !isScope(name) || !granted.includes(name));
  return `${describe('Scope not granted', ungranted)}.`;
}

function scopeNames(text: string | undefined): string[] {
  return [...new Set(text?.split(' ').filter((name) => name !== ''))];
}

function invalid(problem: string, names: readonly string[]): { kind: 'invalid'; problem: string } {
  return { kind: 'invalid', problem: describe(problem, names) };
}

/** More would make the description too long. */
const namedScopes = 3;

function describe(problem: string, names: readonly string[]): string {
  const more = names.length > namedScopes ? ` and ${names.length - namedScopes} more` : '';
  return `${problem}: ${names.slice(0, namedScopes).map(quoteForOAuth).join(', ')}${more}`;
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
export function commonScopes(granted: readonly Scope[], allowed: readonly Scope[]): readonly Scope[] {
  return coversScopes(allowed, granted) ? granted : granted.filter((scope) => allowed.includes(scope));
}

export function coversScopes(held: readonly Scope[], wanted: readonly Scope[]): boolean {
  return wanted.every((scope) => held.includes(scope));
}
