// Signing in with providers as they are: another Latchkey, which signs with HS256, and oidc-provider with RS256 and ES256.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import Provider from 'oidc-provider';
import { Person } from '../../harness/person.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { addUpstream, allowLoopbackUpstreams, isSignedIn, pressButton, respond } from '../../harness/upstreams.ts';

let service: TestService;

before(async () => {
  service = await startTestService(allowLoopbackUpstreams);
});
after(() => service?.stop());

const callback = (name: string) => `${service.url}/sign-in/with/${name}/callback`;

async function lastMethod() {
  return (await service.events('signed_in')).at(-1)?.detail?.method;
}

test('Latchkey itself: HS256, and its acr can be trusted', async () => {
  const upstream = await startTestService();
  try {
    const client = await upstream.newClient({ redirectUris: [callback('latchkey')] });
    const provider = { issuer: upstream.url, clientId: client.id, secret: client.secret };
    const settings = {
      name: 'latchkey',
      label: 'Head office',
      trustedDomains: ['example.test'],
      createsAccounts: true,
    };
    await assert.rejects(addUpstream(service, provider, settings), /choose HS256/);
    await addUpstream(service, provider, { ...settings, algorithm: 'HS256', trustedAcr: ['1'] });
    const user = await upstream.newUser();
    const person = new Person(service);
    const atProvider = new Person(upstream);
    for (const method of ['upstream_two_factors', 'upstream_two_factors']) {
      const url = new URL(await pressButton(person, 'latchkey'));
      const back = await atProvider.authorize(url.pathname + url.search, user);
      await respond(person, back);
      assert.ok(isSignedIn(person));
      assert.equal(await lastMethod(), method);
      person.cookies.delete('latchkey_session');
    }
    const key = { issuer: upstream.url, subject: user.id };
    const found = await service.running.services.storage.findIdentity(key);
    assert.deepEqual([found?.user.email, found?.user.name], [user.email, 'Grace Hopper']);
  } finally {
    await upstream.stop();
  }
});

for (const alg of ['RS256', 'ES256'] as const) {
  test(`oidc-provider with ${alg}`, async () => {
    const name = alg.toLowerCase();
    const provider = await startOidcProvider(alg, callback(name));
    try {
      const settings = { name, trustedDomains: ['people.example'], createsAccounts: true };
      await addUpstream(service, provider, settings);
      const person = new Person(service);
      await respond(person, await provider.signIn(await pressButton(person, name)));
      assert.ok(isSignedIn(person));
      assert.equal(await lastMethod(), 'upstream');
      const key = { issuer: provider.issuer, subject: `somebody-${alg}` };
      const found = await service.running.services.storage.findIdentity(key);
      assert.equal(found?.user.email, `somebody-${alg}@people.example`.toLowerCase());
    } finally {
      await provider.stop();
    }
  });
}

/** An identity provider that signs everybody in as the same person without asking. */
async function startOidcProvider(alg: 'RS256' | 'ES256', redirectUri: string) {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, secret, accountId] = ['latchkey', 'a secret of the client', `somebody-${alg}`];
  const keys = [
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  ];
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: secret,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: alg,
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: keys.map((key) => ({ ...key, use: 'sig' })) as never },
    clientAuthMethods: ['client_secret_post'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: async () => ({
        sub,
        email: `${sub}@people.example`.toLowerCase(),
        email_verified: true,
        name: 'Somebody',
      }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key for cookies'] },
    ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, AuthorizationCode: 60, IdToken: 60 },
  });
  const handle = provider.callback();
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response);
    const grant = new provider.Grant({ accountId, clientId });
    grant.addOIDCScope('openid email profile');
    const grantId = await grant.save();
    await provider.interactionFinished(request, response, { login: { accountId }, consent: { grantId } });
  });
  const cookies = new Map<string, string>();
  return {
    issuer,
    clientId,
    secret,
    /** Follows the identity provider's redirects until it sends the browser back. */
    async signIn(url: string): Promise<URL> {
      let next = url;
      for (let hops = 0; hops < 10 && !next.startsWith(redirectUri); hops++) {
        const header = { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') };
        const response = await fetch(next, { redirect: 'manual', headers: header });
        for (const line of response.headers.getSetCookie()) {
          const [pair = ''] = line.split(';');
          cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        const location = response.headers.get('location');
        assert.ok(location, await response.text());
        next = new URL(location, next).href;
      }
      return new URL(next);
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
