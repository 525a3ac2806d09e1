// A person and an application that exist in the copy only, and the person's passkey: whatever the settings demand of passwords and
// second factors, a passkey fulfils it.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createClient } from '../../../operations/clients/clients.ts';
import type { Services } from '../../../operations/services.ts';
import { createUser } from '../../../operations/users/users.ts';
import { commandRequester, requireDone } from '../../command.ts';

export interface WayIn {
  readonly userId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** What the passkey's holder answers to a challenge. */
  answerTo(challenge: string): string;
}

const redirectUri = 'https://rehearsal.invalid/callback';

export async function makeWayIn(services: Services): Promise<WayIn> {
  const requester = commandRequester();
  const name = 'Rehearsal';
  const email = `rehearsal-${randomBytes(8).toString('hex')}@rehearsal.invalid`;
  const made = await createUser(services, { email, name, password: null, emailVerified: true, admin: true }, requester);
  const { user } = requireDone(made);
  const created = requireDone(await createClient(services, { name, redirectUris: [redirectUri] }, requester));
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32).toString('base64url');
  const now = services.clock.now();
  const event = services.journal.event({ kind: 'passkey_added', userId: user.id, detail: { name } }, requester);
  const passkey = { id, userId: user.id, publicKey: coseOf(publicKey.export({ format: 'jwk' })), counter: 0 };
  const stored = { ...passkey, transports: [], name, createdAt: now, lastUsedAt: null };
  if (!(await services.storage.addPasskey(stored, undefined, event))) throw new Error("its passkey wasn't stored");
  const { issuer } = services;
  return {
    userId: user.id,
    clientId: created.client.id,
    clientSecret: created.secret ?? '',
    redirectUri,
    answerTo(challenge) {
      const client = { type: 'webauthn.get', challenge, origin: issuer, crossOrigin: false };
      const clientData = Buffer.from(JSON.stringify(client));
      // Present and verified, and a counter of 0, which means that there's none.
      const state = Buffer.from([0x05, 0, 0, 0, 0]);
      const authenticatorData = Buffer.concat([sha256(new URL(issuer).hostname), state]);
      const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      };
      return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
    },
  };
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();

/** As WebAuthn has it (COSE): an elliptic curve, ES256, P-256, and the point. */
function coseOf({ x = '', y = '' }: { readonly x?: string; readonly y?: string }): string {
  const part = (text: string) => Buffer.from(text, 'base64url');
  const [head, between] = [
    [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20],
    [0x22, 0x58, 0x20],
  ];
  return Buffer.concat([Buffer.from(head), part(x), Buffer.from(between), part(y)]).toString('base64url');
}
