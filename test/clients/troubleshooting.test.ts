// The messages in docs/troubleshooting.md are the ones that libraries really show: each is provoked here.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import { root } from '../harness/command.ts';
import { newVerifier, obtainCode, obtainTokens, type TokenBody } from '../harness/relying-party.ts';
import { startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';

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
};

for (const [name, provoke] of Object.entries(mistakes)) {
  test(`${name}: the message is on the page, with its code and its cause`, async () => {
    const error = await provoke().then(
      () => assert.fail('nothing went wrong'),
      (thrown: Error & { code?: string; error?: string; error_description?: string }) => thrown,
    );
    const { message, code, cause, error: oauthError, error_description: description } = error;
    const parts = [message, code, oauthError, description, cause instanceof Error ? cause.message : undefined];
    for (const part of parts.filter((each) => each !== undefined && each !== '')) {
      assert.ok(page.includes(part ?? ''), `${part} (of ${message})`);
    }
  });
}
