// A directory that talks to a service by SCIM.

import assert from 'node:assert/strict';
import { digestOf } from '../../src/protocol/digest.ts';
import { newId, newSecret } from '../../src/protocol/identifiers.ts';
import { urns } from '../../src/protocol/scim/urns.ts';
import type { ScimToken } from '../../src/storage/storage.ts';
import type { TestService } from './service.ts';

export interface ScimResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it.
  readonly body: any;
}

export interface TestDirectory {
  readonly secret: string;
  send(method: string, path: string, body?: unknown): Promise<ScimResponse>;
  /** Answers with the ID of the new person. */
  create(userName: string, more?: object): Promise<string>;
  patch(id: string, ...operations: readonly object[]): Promise<ScimResponse>;
  /** Answers with the ID of the new group. */
  createGroup(displayName: string, more?: object): Promise<string>;
  patchGroup(id: string, ...operations: readonly object[]): Promise<ScimResponse>;
  /** The IDs of whom a filter finds. */
  find(filter: string): Promise<readonly string[]>;
}

export async function newDirectory(service: TestService, more: Partial<ScimToken> = {}): Promise<TestDirectory> {
  const { storage, random, clock } = service.running.services;
  const secret = newSecret('lk_scim_', random);
  const token: ScimToken = {
    digest: digestOf(secret),
    id: newId(random),
    source: 'entra',
    name: 'Entra ID',
    adopts: false,
    upstream: null,
    subjectClaim: 'sub',
    createdBy: null,
    createdAt: clock.now(),
    expiresAt: null,
    lastUsedAt: null,
    lastFour: null,
    ...more,
  };
  await storage.createScimToken(token, []);
  return directoryWith(service, secret);
}

export function directoryWith(service: TestService, secret: string): TestDirectory {
  async function send(method: string, path: string, body?: unknown): Promise<ScimResponse> {
    // The limit is by the second.
    service.clock.advance(1);
    const response = await fetch(`${service.url}/scim/v2${path}`, {
      method,
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/scim+json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (text !== '') assert.equal(response.headers.get('Content-Type'), 'application/scim+json');
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }
  return {
    secret,
    send,
    async create(userName, more = {}) {
      const { status, body } = await send('POST', '/Users', { schemas: [urns.user], userName, ...more });
      assert.equal(status, 201, JSON.stringify(body));
      return body.id;
    },
    async createGroup(displayName, more = {}) {
      const { status, body } = await send('POST', '/Groups', { schemas: [urns.group], displayName, ...more });
      assert.equal(status, 201, JSON.stringify(body));
      return body.id;
    },
    patchGroup: (id, ...Operations) => send('PATCH', `/Groups/${id}`, { schemas: [urns.patch], Operations }),
    patch: (id, ...Operations) => send('PATCH', `/Users/${id}`, { schemas: [urns.patch], Operations }),
    async find(filter) {
      const { status, body } = await send('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.totalResults, body.Resources.length);
      return body.Resources.map(({ id }: { readonly id: string }) => id);
    },
  };
}
