// The library as the bridge sets it up: only what the bridge offers is on, and everything that decides about a person is asked
// of Latchkey.

import { setCookie } from '../platform/relying-party/cookies.ts';
import { sameText } from '../protocol/digest.ts';
import { SECOND } from '../protocol/durations.ts';
import { adapterFor } from './adapter.ts';
import {
  applicationOf,
  claimsFrom,
  endGrant,
  noticeRefusedSecret,
  oauthError,
  retryAfter,
  unavailable,
} from './asking.ts';
import { latchkeyUrl, refuseOutgoing } from './authorize.ts';
import { type Application, type BridgeContext, browserCookie, paths } from './context.ts';
import { grantLifetime } from './grants.ts';
import type { SigningKey } from './key-store.ts';
import {
  type Configuration,
  errors,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
  Provider,
} from './library.ts';
import { onwardPage } from './onward.ts';
import type { SecretLimit } from './secret-limit.ts';
import { currentVisit } from './visit.ts';

/** Those of Latchkey that claims come with. */
const scopes = ['openid', 'profile', 'email'];
/** In every ID token, as Latchkey has said it. */
const signInClaims = ['sub', 'sid', 'auth_time', 'acr', 'amr'];
/** In seconds, as at Latchkey. */
const idTokenLifetime = 900;
const codeLifetime = 60;

/** The library takes its keys when it's made, so there's another one when they change. */
export function makeProvider(context: BridgeContext, signingKeys: readonly SigningKey[], limit: SecretLimit) {
  const { config, applications } = context;
  const all = [...applications.values()];
  const algorithms = [...new Set(all.map(({ signing }) => signing))];
  const configuration: Configuration = {
    adapter: adapterFor(context),
    clients: all.map(clientMetadata),
    jwks: { keys: signingKeys.map(jwkOf) },
    enabledJWA: { idTokenSigningAlgValues: algorithms },
    responseTypes: ['code'],
    scopes,
    acrValues: ['1', '2'],
    claims: { openid: [...new Set([...signInClaims, ...all.flatMap(({ claims }) => claims)])] },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    routes: {
      authorization: paths.authorize,
      token: paths.token,
      userinfo: paths.userinfo,
      revocation: paths.revoke,
      jwks: paths.keys,
    },
    discovery: {
      end_session_endpoint: config.baseUrl + paths.signOut,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => mayRevoke(context, client.clientId, token) },
    },
    pkce: { required: (_ctx, client) => applicationOf(context, client.clientId).pkce === 'required' },
    interactions: {
      policy: [
        new interactionPolicy.Prompt(
          { name: 'latchkey' },
          new interactionPolicy.Check('sign_in', 'Latchkey decides', async (ctx) => hasToGo(context, ctx)),
        ),
      ],
      url: (ctx, { params }) => latchkeyUrl(context, applicationOf(context, ctx.oidc.client?.clientId), params),
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => false,
    expiresWithSession: () => false,
    issueRefreshToken: () => true,
    rotateRefreshToken: () => false,
    revokeGrantPolicy: () => true,
    extraTokenClaims: () => ({ latchkey: currentVisit().access?.token }),
    findAccount: (ctx, sub, token) => accountOf(context, ctx, sub, token),
    ttl: {
      AccessToken: () => secondsUntil(context, currentVisit().access?.until ?? 0),
      AuthorizationCode: codeLifetime,
      Grant: grantLifetime / SECOND,
      IdToken: idTokenLifetime,
      Interaction: codeLifetime,
      RefreshToken: grantLifetime / SECOND,
      Session: codeLifetime,
    },
    renderError(ctx, out) {
      ctx.body = out;
    },
  };
  const provider = new Provider(config.baseUrl, configuration);
  // Behind a proxy, and whatever the request says: bridge.ts replaces where it's from.
  provider.proxy = true;
  provider.Client.prototype.compareClientSecret = function (presented: string) {
    const { address } = currentVisit();
    if (limit.isReached(this.clientId, address))
      throw oauthError(429, 'temporarily_unavailable', 'Too many wrong secrets.');
    const isRight = applicationOf(context, this.clientId)
      .presented()
      .some((secret) => sameText(secret, presented));
    if (!isRight) {
      limit.count(this.clientId, address);
      context.meters.wrongSecret();
    }
    return isRight;
  };
  provider.use(async (ctx, next) => {
    // Of the page that posts an answer (response_mode=form_post), to which the library adds its script.
    ctx.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; script-src");
    await next();
    // Those of the library's sessions and interactions, of which there are none.
    ctx.remove('Set-Cookie');
    const { isLeaving, outgoing, arrival } = currentVisit();
    const location = ctx.response.get('Location');
    if (arrival !== undefined && location) {
      const { headers, body } = onwardPage(location);
      ctx.remove('Location');
      ctx.status = 200;
      ctx.body = body;
      ctx.set(headers as Record<string, string>);
    }
    if (isLeaving && outgoing !== undefined) ctx.set(...setCookie(browserCookie(config), outgoing.browser));
    if (ctx.status === 503 || ctx.status === 429) ctx.set('Retry-After', String(retryAfter));
    if (ctx.path === paths.userinfo && ctx.status === 200) ctx.body = currentVisit().claims;
    // What Latchkey's own tokens look like is no token of this bridge, either.
    if (ctx.path === paths.revoke && (ctx.body as { error?: unknown })?.error === 'unsupported_token_type') {
      ctx.status = 200;
      ctx.body = '';
      ctx.remove('Content-Type');
    }
  });
  // Without this, a browser that goes away would put a stack trace on the terminal.
  const ended = (error: unknown) => context.notice('request', 'a request ended early', { err: error });
  (provider as NodeJS.EventEmitter).on('error', ended);
  provider.on('server_error', (_ctx, error) => context.log.error({ err: error }, 'a request failed'));
  return provider;
}

function clientMetadata({ clientId, redirectUris, signing }: Application) {
  return {
    client_id: clientId,
    // Never compared: an application may have several (compareClientSecret).
    client_secret: clientId,
    redirect_uris: [...redirectUris],
    response_types: ['code' as const],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_basic' as const,
    id_token_signed_response_alg: signing,
  };
}

function jwkOf({ kid, algorithm, privateKey }: SigningKey): JWK {
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), kid, alg: algorithm, use: 'sig' };
}

function secondsUntil({ now }: BridgeContext, until: number): number {
  return Math.max(1, Math.floor((until - now()) / SECOND));
}

/** Whether the browser has to go to Latchkey. Runs when the library has checked the request. */
function hasToGo(context: BridgeContext, ctx: KoaContextWithOIDC): boolean {
  const { arrival } = currentVisit();
  if (arrival?.kind === 'refused') throw oauthError(400, arrival.error.code, arrival.error.description);
  if (arrival === undefined) refuseOutgoing(applicationOf(context, ctx.oidc.client?.clientId), ctx.oidc.params ?? {});
  return arrival === undefined;
}

type Source = { readonly kind?: string; readonly grantId?: string | undefined; readonly extra?: unknown } | undefined;

/** Undefined for someone whose access has ended. Asks Latchkey, except where it has just been asked. */
async function accountOf(context: BridgeContext, ctx: KoaContextWithOIDC, sub: string, token: Source) {
  const visit = currentVisit();
  if (token?.kind === 'RefreshToken') await refresh(context, token.grantId ?? '', ctx.oidc.params?.scope);
  if (token?.kind === 'AccessToken') {
    const { latchkey: accessToken = '' } = (token.extra ?? {}) as { latchkey?: string };
    const application = applicationOf(context, ctx.oidc.client?.clientId);
    const claims = await claimsFrom(context, application, { accessToken, sub });
    if (claims === undefined) return undefined;
    visit.claims = claims;
  }
  const { clientId } = ctx.oidc.client ?? {};
  return {
    accountId: sub,
    claims(use: string) {
      const known = { ...visit.claims, sub };
      if (use !== 'id_token') return known;
      const named = new Set([...signInClaims, ...applicationOf(context, clientId).claims]);
      return { ...Object.fromEntries(Object.entries(known).filter(([name]) => named.has(name))), sub };
    },
  };
}

/** Asks Latchkey for a new access token before anything is written here. */
async function refresh(context: BridgeContext, grantId: string, scope: unknown): Promise<void> {
  const visit = currentVisit();
  visit.isRefresh = true;
  const facts = context.grants.find(grantId);
  if (facts === undefined) throw new errors.InvalidGrant('grant not found');
  const application = applicationOf(context, facts.clientId);
  const narrowed = typeof scope === 'string' ? scope : undefined;
  const answer = await context.ask(() => context.issuer.refresh(application.registration(), facts, narrowed));
  if (answer.kind === 'unanswered') throw unavailable();
  noticeRefusedSecret(context, facts.clientId, answer);
  if (answer.kind === 'refused') {
    const { error, problem } = answer;
    // Something in between, or clocks that differ: nobody's access has ended.
    if (error === undefined) {
      context.notice('answer', `Latchkey's answer is invalid: ${problem}`);
      throw unavailable();
    }
    if (error.code !== 'invalid_grant') throw oauthError(400, error.code, problem);
    await endGrant(context, grantId, true);
    throw new errors.InvalidGrant('access has ended');
  }
  const { accessToken, expiresIn, claims } = answer.value;
  visit.access = { token: accessToken, until: context.now() + expiresIn * SECOND };
  const fresh = await claimsFrom(context, application, { accessToken, sub: facts.sub });
  if (fresh === undefined) throw new errors.InvalidGrant('access has ended');
  visit.claims = { ...claims, ...fresh };
}

/** Revokes at Latchkey first: 503 says that the token still exists. */
async function mayRevoke(context: BridgeContext, clientId: string, token: object): Promise<boolean> {
  const { clientId: owner, grantId = '' } = token as { clientId?: string; grantId?: string };
  const facts = owner === clientId ? context.grants.find(grantId) : undefined;
  if (facts === undefined) return false;
  const { registration } = applicationOf(context, clientId);
  const answer = await context.ask(() => context.issuer.revoke(registration(), facts.refreshToken));
  if (answer.kind === 'unanswered') throw unavailable();
  currentVisit().isRevoked = true;
  return true;
}
