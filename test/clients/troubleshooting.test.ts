// The messages in docs/troubleshooting.md are the ones that libraries really show: those of the libraries for Node.js and
// the browser are provoked here, Authlib's `bad_signature` by its guide. The page says which ones are only quoted.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts';
import * as oidc from 'openid-client';
import { root } from '../harness/command.ts';
import { Person } from '../harness/person.ts';
import { newVerifier, obtainCode, obtainTokens, type TokenBody } from '../harness/relying-party.ts';
import { freePort, startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { type Mistake as AppMistake, libraries, reportOf } from './library-apps.ts';

const page = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8').replace(/\s+/g, ' ');

let service: TestService;
let client: TestClient;
let user: TestUser;
let tokens: TokenBody;

before(async () => {
  service = await startTestService();
  client = await service.newClient();
  user = await service.newUser();
  ({ tokens } = await obtainTokens(service, client, user));
});
after(() => service.stop());

interface Mistake {
  readonly secret?: string;
  readonly algorithm?: string;
  readonly authentication?: oidc.ClientAuth;
  readonly callback?: Record<string, string | undefined>;
  readonly verifier?: string;
  readonly nonce?: string;
  readonly prepare?: (config: oidc.Configuration) => void;
}

/** A sign-in with openid-client that goes wrong in one way. */
async function signIn(mistake: Mistake): Promise<unknown> {
  const { secret = client.secret, algorithm, authentication } = mistake;
  const metadata = { client_secret: secret, ...(algorithm && { id_token_signed_response_alg: algorithm }) };
  const options = { execute: [oidc.allowInsecureRequests] };
  const config = await oidc.discovery(new URL(service.url), client.id, metadata, authentication, options);
  mistake.prepare?.(config);
  const { code, verifier } = await obtainCode(service, client, user, { state: 's', nonce: 'n' });
  const callback = new URL(client.redirectUri);
  const parameters = Object.entries({ code, state: 's', iss: service.url, ...mistake.callback });
  for (const [name, value] of parameters) if (value !== undefined) callback.searchParams.set(name, value);
  return oidc.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: mistake.verifier ?? verifier,
    expectedState: 's',
    expectedNonce: mistake.nonce ?? 'n',
  });
}

/** A sign-in with oidc-client-ts, which needs a browser only for its storage and for navigating. */
async function signInInBrowser(mistake: { readonly nonce?: string; readonly elsewhere?: boolean }): Promise<unknown> {
  const page = await service.newClient({ isPublic: true });
  const open = () =>
    new OidcClient({
      ...{ authority: service.url, client_id: page.id, redirect_uri: page.redirectUri, scope: 'openid' },
      stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    });
  const tab = open();
  const request = new URL((await tab.createSigninRequest({ nonce: 'n' })).url);
  if (mistake.nonce !== undefined) request.searchParams.set('nonce', mistake.nonce);
  const back = await new Person(service).authorize(request.href, user);
  return (mistake.elsewhere === true ? open() : tab).processSigninResponse(back.href);
}

async function refreshWithoutSecret(): Promise<unknown> {
  const { id } = await service.newClient({ isPublic: true });
  const options = { execute: [oidc.allowInsecureRequests] };
  const config = await oidc.discovery(issuer(), id, undefined, oidc.None(), options);
  return oidc.refreshTokenGrant(config, tokens.refresh_token);
}

const issuer = () => new URL(service.url);
const insecure = { [oauth.allowInsecureRequests]: true };

const mistakes: Readonly<Record<string, () => Promise<unknown>>> = {
  'plain http, openid-client': () => oidc.discovery(issuer(), client.id, client.secret),
  'plain http, oauth4webapi': () => oauth.discoveryRequest(issuer()),
  'another host in the issuer, openid-client': () => {
    const other = new URL(service.url.replace('localhost', '127.0.0.1'));
    return oidc.discovery(other, client.id, client.secret, undefined, { execute: [oidc.allowInsecureRequests] });
  },
  'another host in the issuer, oauth4webapi': async () =>
    oauth.processDiscoveryResponse(new URL(`${service.url}/x`), await oauth.discoveryRequest(issuer(), insecure)),
  'HTTP Basic': () => signIn({ authentication: oidc.ClientSecretBasic(client.secret) }),
  'a wrong secret': () => signIn({ secret: 'not the secret of this client at all' }),
  'RS256 expected': () => signIn({ algorithm: 'RS256' }),
  'a check by key set, openid-client': () => signIn({ prepare: oidc.enableNonRepudiationChecks }),
  'a check by key set, jose': () =>
    jwtVerify(tokens.id_token ?? '', createRemoteJWKSet(new URL(`${service.url}/oauth/jwks.json`))),
  'another key, jose': () => jwtVerify(tokens.id_token ?? '', new TextEncoder().encode('x'.repeat(40))),
  'another nonce': () => signIn({ nonce: 'another' }),
  'another state': () => signIn({ callback: { state: 'another' } }),
  'no iss': () => signIn({ callback: { iss: undefined } }),
  cancelled: () => signIn({ callback: { code: undefined, error: 'access_denied' } }),
  'another verifier': () => signIn({ verifier: newVerifier() }),
  'a refresh without a secret': refreshWithoutSecret,
  'another nonce, oidc-client-ts': () => signInInBrowser({ nonce: 'another' }),
  'another tab, oidc-client-ts': () => signInInBrowser({ elsewhere: true }),
};

interface Thrown extends Error {
  readonly code?: string;
  readonly error?: string;
  readonly error_description?: string;
}

for (const [name, provoke] of Object.entries(mistakes)) {
  test(`${name}: the message is on the page, with its code and its cause`, async () => {
    const error = await provoke().then(
      () => assert.fail('nothing went wrong'),
      (thrown: Thrown) => thrown,
    );
    const { message, code, cause, error: oauthError, error_description: description } = error;
    const parts = [message, code, oauthError, description, cause instanceof Error ? cause.message : undefined];
    for (const part of parts.filter((each) => each !== undefined && each !== '')) {
      assert.ok(page.includes(part ?? ''), `${part} (of ${message})`);
    }
  });
}

test("nothing is listening: the message and its cause's code are on the page", async () => {
  const nowhere = new URL(`http://localhost:${await freePort()}`);
  const options = { execute: [oidc.allowInsecureRequests] };
  await assert.rejects(oidc.discovery(nowhere, client.id, client.secret, undefined, options), (error: Error) => {
    const { code } = error.cause as { code: string };
    return page.includes(`### ${code}, ${error.message}`);
  });
});

const { passport, expressOpenidConnect, authJs } = libraries;
const basic = 'server responded with a challenge in the WWW-Authenticate HTTP Header';
const algorithm = 'unexpected JWT "alg" header parameter';

type Expected = readonly [name: string, library: Parameters<typeof reportOf>[0], mistake: AppMistake, words: string[]];
/** What each library says; all of it is on the page, too. */
const reports: readonly Expected[] = [
  [
    'Passport without PKCE',
    passport,
    { changes: { pkce: undefined } },
    ['AuthorizationError', 'invalid_request', 'code_challenge is missing; PKCE is required'],
  ],
  ['Passport with a wrong secret', passport, { changes: { clientSecret: 'wrong' } }, ['TokenError', 'invalid_client']],
  ['Passport in another session', passport, { elsewhere: true }, ['AuthenticationError: Forbidden']],
  [
    'express-openid-connect with HTTP Basic',
    expressOpenidConnect,
    { changes: { clientAuthMethod: 'client_secret_basic' } },
    [basic],
  ],
  [
    'express-openid-connect expecting RS256',
    expressOpenidConnect,
    { changes: { idTokenSigningAlg: 'RS256' } },
    ['invalid response encountered', 'OAUTH_INVALID_RESPONSE'],
  ],
  [
    'express-openid-connect in another session',
    expressOpenidConnect,
    { elsewhere: true },
    ['"auth_verification" cookie not found'],
  ],
  [
    'Auth.js with HTTP Basic',
    authJs,
    { changes: { token_endpoint_auth_method: 'client_secret_basic' } },
    ['CallbackRouteError', basic],
  ],
  [
    'Auth.js expecting RS256',
    authJs,
    { changes: { id_token_signed_response_alg: 'RS256' } },
    ['CallbackRouteError', algorithm],
  ],
  ['Auth.js in another session', authJs, { elsewhere: true }, ['InvalidCheck', 'state value could not be parsed']],
];

for (const [name, library, mistake, words] of reports) {
  test(`${name}: the library's message is on the page`, async () => {
    const report = inspect(await reportOf(library, { service, user }, mistake), { depth: 5 });
    for (const part of words) {
      assert.ok(report.includes(part), report);
      assert.ok(page.includes(part), part);
    }
  });
}
