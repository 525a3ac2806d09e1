// A peer: oidc-provider with its in-memory adapter, or on PostgreSQL if it gets the URL of a database. It is configured to do
// the same work: HS256 ID tokens, PKCE, client_secret_post, opaque access tokens, and refresh tokens that aren't rotated.
// SIGNING=RS256 signs as the bridge does.

import { generateKeyPairSync } from 'node:crypto';
import Provider from 'oidc-provider';
import { postgresAdapter } from './oidc-provider-postgres.js';

const [port, clientId, clientSecret, redirectUri, databaseUrl] = process.argv.slice(2);
const { SIGNING: signing = 'HS256' } = process.env;
const keyPair = signing === 'RS256' ? generateKeyPairSync('rsa', { modulusLength: 3072 }) : undefined;
const issuer = `http://localhost:${port}`;

const provider = new Provider(issuer, {
  ...(databaseUrl && { adapter: await postgresAdapter(databaseUrl) }),
  ...(keyPair && { jwks: { keys: [{ ...keyPair.privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] } }),
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: signing,
    },
  ],
  claims: { openid: ['sub'], profile: ['name', 'given_name', 'family_name'], email: ['email', 'email_verified'] },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true }),
  }),
  enabledJWA: { idTokenSigningAlgValues: ['HS256', 'RS256'] },
  pkce: { required: () => true },
  rotateRefreshToken: false,
  issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
  features: { devInteractions: { enabled: true }, revocation: { enabled: true } },
  cookies: { keys: ['a key for the benchmark'] },
  ttl: {
    AccessToken: 900,
    AuthorizationCode: 60,
    RefreshToken: 30 * 86_400,
    Session: 86_400,
    Grant: 86_400,
    IdToken: 900,
  },
});
provider.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
