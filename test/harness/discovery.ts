// What administrators need of an identity provider: a server that announces endpoints and can announce others. And upstreams
// for tests that need no identity provider to answer.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createUpstream,
  deleteUpstream,
  disableUpstream,
  listUpstreams,
} from '../../src/operations/upstreams/upstreams.ts';
import { newId } from '../../src/protocol/identifiers.ts';
import type { UpstreamInput } from '../../src/protocol/resources/upstream.ts';
import type { Upstream, User } from '../../src/storage/storage.ts';
import { aSession } from '../storage/records.ts';
import { png } from './account.ts';
import type { Input } from './api.ts';
import { requester, type TestService, type TestUser } from './service.ts';

/** Lets the service talk to providers on this machine. */
export const allowLoopbackUpstreams = { LATCHKEY_UPSTREAM_NETWORKS: '127.0.0.0/8, ::1' };

export interface DiscoveryServer {
  readonly issuer: string;
  /** What it announces from now on; an empty one isn't found. */
  announced: Record<string, unknown>;
  stop(): Promise<void>;
}

export async function startDiscovery(): Promise<DiscoveryServer> {
  const server = createServer((_request, response) => {
    const found = Object.keys(discovery.announced).length > 0;
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(discovery.announced));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const discovery: DiscoveryServer = {
    issuer,
    announced: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return discovery;
}

/** GitHub by default, whose endpoints are known. */
export async function newUpstream(service: TestService, input: Partial<UpstreamInput> = {}): Promise<Upstream> {
  const given = {
    name: 'github',
    kind: 'github',
    clientId: 'ours',
    secret: 'hidden secret',
    label: 'GitHub',
    ...input,
  };
  const created = await createUpstream(service.running.services, given, requester);
  if (created.kind === 'refused') throw new Error(created.problems[0].says);
  return created.upstream;
}

/** The only one that there is. */
async function anUpstream(service: TestService): Promise<Input> {
  const { services } = service.running;
  for (const { name } of await listUpstreams(services)) await deleteUpstream(services, name, requester);
  return { params: { name: (await newUpstream(service)).name } };
}

/** Input with which each operation of the API succeeds. */
export const upstreamExamples: Record<string, (service: TestService, user: TestUser) => Promise<Input>> = {
  listUpstreams: async () => ({}),
  async createUpstream(service) {
    await anUpstream(service);
    const enterprise = { kind: 'github', issuer: 'https://github.example.com' };
    return {
      body: { name: 'enterprise', ...enterprise, client_id: 'ours', client_secret: 'hidden', scopes: ['user'] },
    };
  },
  getUpstream: anUpstream,
  async updateUpstream(service) {
    const body = { label: 'Code', trusted_domains: ['*'], creates_accounts: true, client_secret: 'another' };
    return { ...(await anUpstream(service)), body };
  },
  deleteUpstream: anUpstream,
  setUpstreamIcon: async (service) => ({ ...(await anUpstream(service)), raw: { type: 'image/png', bytes: png } }),
  removeUpstreamIcon: anUpstream,
  lookUpUpstreamEndpoints: anUpstream,
  refreshUpstreamEndpoints: async (service) => ({ ...(await anUpstream(service)), body: {} }),
  disableUpstream: anUpstream,
  async enableUpstream(service) {
    const input = await anUpstream(service);
    await disableUpstream(service.running.services, input.params?.name ?? '', requester);
    return input;
  },
  listPersonIdentities: async (_service, { id }) => ({ params: { id } }),
  async unlinkPersonIdentities(service) {
    await anUpstream(service);
    const [upstream] = await listUpstreams(service.running.services);
    assert.ok(upstream);
    const { id } = await newLinkedUser(service, upstream);
    return { params: { id, name: upstream.name }, query: { subject: `sub-${id}` } };
  },
};

/** Somebody who came with an identity there, and has no other way in. */
export async function newLinkedUser(service: TestService, { issuer, name }: Upstream): Promise<User> {
  const { storage, journal, random } = service.running.services;
  const id = newId(random);
  const user: User = { ...(await service.newUser()).record, id, email: `${id}@example.test`, passwordHash: '' };
  const identity = { issuer, subject: `sub-${id}`, userId: id, email: 'ada@elsewhere.example' };
  const event = journal.event({ kind: 'identity_linked', userId: id, detail: { upstream: name } }, requester);
  const session = { session: aSession(user), replacedDigest: undefined, deviceDigest: undefined };
  const times = { linkedAt: user.createdAt, lastUsedAt: null };
  assert.ok(await storage.createUserWithIdentity(user, { ...identity, ...times }, session, event));
  return user;
}
