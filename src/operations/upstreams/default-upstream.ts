// Where people are sent to sign in without being asked: to the identity provider that's trusted with the email domain in
// `login_hint`, to the application's own, or to the default for everyone.

import { isEmail } from '../../protocol/account/email-address.ts';
import { emailDomain } from '../../protocol/upstreams/claims.ts';
import type { Upstream } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

/** Undefined if people choose themselves. One that is disabled or deleted is skipped. */
export async function defaultUpstream(
  { upstreamDirectory, settings }: Pick<Services, 'settings' | 'upstreamDirectory'>,
  asked: { readonly clientUpstream?: string | null; readonly loginHint?: string | undefined },
): Promise<Upstream | undefined> {
  const open = await upstreamDirectory.open();
  const named = (name: string | null | undefined) => open.find((each) => each.name === name);
  return routeOf(open, asked.loginHint) ?? named(asked.clientUpstream) ?? named(settings.defaultUpstream);
}

/** An upstream that is trusted with every domain isn't chosen by domain: that says nothing about this one. */
export function routeOf(upstreams: readonly Upstream[], loginHint: string | undefined): Upstream | undefined {
  if (loginHint === undefined || !isEmail(loginHint)) return undefined;
  const domain = emailDomain(loginHint);
  return upstreams.find((each) => each.routesDomains && each.trustedDomains.includes(domain));
}

/** Undefined for an upstream that exists, and for none. */
export async function defaultProblem(
  { storage }: Pick<Services, 'storage'>,
  name: string | null | undefined,
): Promise<string | undefined> {
  if (name === undefined || name === null || name === '') return undefined;
  return (await storage.findUpstream(name)) === undefined
    ? `there is no identity provider "${name.slice(0, 60)}"`
    : undefined;
}
