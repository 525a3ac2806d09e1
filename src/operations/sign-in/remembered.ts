// The account that a browser remembers for a person who chose "Keep me signed in". The cookie is sealed for the mark that the
// browser got at that sign-in, and holds the account's ID alone: what the page shows is read again each time.

import { emailKey } from '../../protocol/account/email-address.ts';
import { digestOf } from '../../protocol/digest.ts';
import { type UsualMethod, usualMethod } from '../../protocol/sign-in/usual-method.ts';
import type { User } from '../../storage/storage.ts';
import { passwordSignsIn } from '../passwords/password-policy.ts';
import type { Services, Timing } from '../services.ts';
import type { Browser } from './advance.ts';
import { emailCodePolicy } from './email-codes.ts';

/** `mark` is that of the browser for this user. */
export function sealAccount({ keys }: Pick<Services, 'keys'>, userId: string, mark: string): string {
  return keys.seal(`remembered account ${digestOf(mark)}`, userId);
}

/** The account's ID; undefined for a cookie of another browser or service. */
export function unsealAccount({ keys }: Pick<Services, 'keys'>, sealed: string, marks: readonly string[]) {
  const ids = marks.map((mark) => keys.unseal(`remembered account ${digestOf(mark)}`, sealed));
  return ids.find((id) => id !== undefined);
}

/**
 * Undefined without an account, once it no longer knows the browser, and for a person who has typed another email address or
 * comes with one. Whether the account can be used isn't asked: the page says nothing about that to anybody who hasn't proved
 * who they are.
 */
export async function findRemembered(
  services: Timing & Pick<Services, 'settings' | 'openUpstreams' | 'emailQueue'>,
  { remembered, marks }: Browser,
  typed: string | undefined,
): Promise<{ readonly account: User; readonly method: UsualMethod | undefined } | undefined> {
  const { storage, openUpstreams } = services;
  const user = remembered === undefined ? undefined : await storage.findUser(remembered);
  if (user === undefined || (typed !== undefined && emailKey(typed) !== emailKey(user.email))) return undefined;
  const facts = await storage.findSignInFacts(user.id, marks.map(digestOf));
  if (facts.knownDevice === undefined) return undefined;
  const [identities, upstreams, [event]] = await Promise.all([
    storage.listIdentities(user.id),
    openUpstreams.read(),
    storage.findEvents({ userId: user.id, kind: 'signed_in' }, 1),
  ]);
  const possible = {
    password: await passwordSignsIn(services, user),
    passkey: facts.passkeys.length > 0,
    emailCode: (await emailCodePolicy(services)) !== 'off',
    upstreams: upstreams
      .filter(({ issuer }) => identities.some((identity) => identity.issuer === issuer))
      .map(({ name }) => name),
  };
  const { method, upstream } = (event?.detail ?? {}) as { method?: string; upstream?: string };
  return { account: user, method: usualMethod(possible, { method, upstream }) };
}
