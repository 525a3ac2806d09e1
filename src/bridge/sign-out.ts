// Signing out: an application sends the browser here, which goes on to Latchkey and comes back; and Latchkey says that a session
// has ended, which is passed on to the application.

import type { Send } from '../platform/relying-party/requests.ts';
import { SECOND } from '../protocol/durations.ts';
import { readLogoutToken } from '../protocol/oauth/logout-token.ts';
import type { Parameters } from '../protocol/reading/parameters.ts';
import { type Application, type BridgeContext, paths } from './context.ts';
import { readOwnIdToken, signLogoutToken } from './jwt.ts';

export type SignOut =
  | { readonly kind: 'redirect'; readonly url: string }
  /** The problem is a sentence for the application's developers. */
  | { readonly kind: 'invalid'; readonly problem: string }
  | { readonly kind: 'unavailable' };

const invalid = (problem: string): SignOut => ({ kind: 'invalid', problem });

export async function signOut(context: BridgeContext, parameters: Parameters): Promise<SignOut> {
  const { config, signingKeys, applications, grants, ask, issuer, log } = context;
  const hint = parameters.get('id_token_hint');
  const token = hint === undefined ? undefined : readOwnIdToken(hint, config.baseUrl, signingKeys.list());
  const clientId = token?.clientId ?? parameters.get('client_id');
  const application = applications.get(clientId ?? '');
  const to = parameters.get('post_logout_redirect_uri');
  if (hint !== undefined && token === undefined) return invalid('id_token_hint is no ID token of this issuer.');
  if (token !== undefined && (parameters.get('client_id') ?? token.clientId) !== token.clientId) {
    return invalid('client_id differs from the one in id_token_hint.');
  }
  if (clientId !== undefined && application === undefined) return invalid('The client is unknown.');
  if (to !== undefined && !application?.postLogoutRedirectUris.includes(to)) {
    return invalid('post_logout_redirect_uri is not registered for this client.');
  }

  const [anyone] = applications.values();
  const ended = token === undefined ? [] : grants.endSession(token.clientId, token.sid, { keepEnded: false });
  if (token !== undefined && ended.length > 0) log.info({ client: clientId, sub: token.sub }, 'signed out');
  await context.revoke(ended);
  // The way back is the application's, and `state` says where it is. Without one, people stay at Latchkey.
  const back = { clientId, to, state: parameters.get('state') };
  const sealed = context.keys.seal('sign-out', '', '', JSON.stringify(back)).toString('base64url');
  const locales = parameters.get('ui_locales');
  const answer = await ask(() =>
    issuer.signOutUrl((application ?? (anyone as Application)).registration(), ended[0]?.idToken, {
      ...(to !== undefined && { post_logout_redirect_uri: config.baseUrl + paths.signedOut, state: sealed }),
      ...(locales !== undefined && { ui_locales: locales }),
    }),
  );
  if (answer.kind !== 'answered') return { kind: 'unavailable' };
  const url = new URL(answer.value);
  if (application === undefined) url.searchParams.delete('client_id');
  return { kind: 'redirect', url: url.href };
}

/** Where someone goes who comes back from Latchkey; undefined if it isn't known. */
export function signedOutUrl({ applications, keys }: BridgeContext, sealed: string): string | undefined {
  const text = keys.unseal('sign-out', '', '', Buffer.from(sealed, 'base64url'));
  if (text === undefined) return undefined;
  const { clientId, to, state } = JSON.parse(text) as { clientId?: string; to: string; state?: string };
  if (!applications.get(clientId ?? '')?.postLogoutRedirectUris.includes(to)) return undefined;
  if (state === undefined) return to;
  return `${to}${to.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`;
}

/** The status for Latchkey. It tries again after 503, each time with a new token, so the application is told in the end. */
export async function backchannelLogout(context: BridgeContext, token: string, send: Send): Promise<200 | 400 | 503> {
  const { config, applications, grants, log, notice, now } = context;
  for (const application of applications.values()) {
    const { clientId, secrets } = application.registration();
    const logouts = secrets.map((secret) => readLogoutToken(token, { issuer: config.issuer, clientId, secret }, now()));
    const logout = logouts.find((each) => each !== undefined);
    if (logout === undefined) continue;
    const ended = grants.endSession(clientId, logout.sid, { keepEnded: true });
    if (ended.length > 0) log.info({ client: clientId, count: ended.length }, 'signed out by Latchkey');
    void context.revoke(ended);
    return (await passOn(context, application, { sub: logout.userId, sid: logout.sid }, send)) ? 200 : 503;
  }
  notice('logout', 'a logout token is invalid: compare the client secret, the issuer and the clocks');
  return 400;
}

/** Whether the application has taken it, or doesn't want to know. */
async function passOn(
  { config, signingKeys, notice, now }: BridgeContext,
  { clientId, backchannelLogoutUri, signing }: Application,
  person: { readonly sub: string; readonly sid: string },
  send: Send,
): Promise<boolean> {
  if (backchannelLogoutUri === undefined || backchannelLogoutUri === null) return true;
  const key = signingKeys.list().find(({ algorithm, state }) => algorithm === signing && state === 'signing');
  if (key === undefined) return false;
  const token = signLogoutToken({ issuer: config.baseUrl, clientId, ...person }, key, Math.floor(now() / SECOND));
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ logout_token: token }).toString();
  try {
    const { status } = await send(backchannelLogoutUri, { method: 'POST', headers, body });
    if (status === 200 || status === 204) return true;
    notice('application', 'an application refuses logout tokens', { client: clientId, status });
  } catch (error) {
    notice('application', "an application doesn't take logout tokens", { client: clientId, err: error });
  }
  return false;
}
