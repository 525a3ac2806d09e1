// The keys that the service signs and seals with. Each purpose has its own key, derived from the operator's secrets, so
// that a signature made for one purpose is worthless for another. Where the secrets come from is in key-file.ts.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { hmacSha256, sameText } from '../protocol/digest.ts';
import { forever, type KeyEnds, never } from '../protocol/key-retirement.ts';
import type { SealPurpose, StampPurpose } from '../protocol/purposes.ts';
import type { Clock } from './clock.ts';
import { ConfigurationError } from './config.ts';
import { isKeyList, type KeyList, keyListRule } from './key-list.ts';

/** One derived key for each secret, newest first. */
type DerivedKeys<Key> = readonly [newest: Key, ...older: Key[]];

export interface ServiceKeys {
  /** Derived from the keys, newest first. The store refers to keys by these. */
  readonly ids: DerivedKeys<string>;
  /** The id of the key that signs and seals. Newer ones only verify, until every instance has them. */
  readonly signingId: string;
  /** Signs access tokens. */
  readonly accessTokenKey: Uint8Array;
  /** The keys that verify access tokens at this time. The same list until one of them expires. */
  accessTokenKeys(now: number): readonly Uint8Array[];
  /** Makes the `sid` of ID tokens, by which the service recognizes them: the key with this id while it's listed, or the one that signs. */
  sidKey(id: string | null): Uint8Array;
  /** Those that verify a `sid` at this time. */
  sidKeys(now: number): readonly Uint8Array[];
  /** Signs a public client's ID tokens. The client doesn't get it. */
  publicIdTokenKey(clientId: string): Uint8Array;
  /** A MAC over the parts of a form, to verify the form when it's submitted. */
  stamp(purpose: StampPurpose, ...parts: string[]): string;
  verifyStamp(stamp: string, purpose: StampPurpose, ...parts: string[]): boolean;
  /** Encrypts text that has to be stored and read again, so that a stolen database doesn't reveal it. */
  seal(purpose: SealPurpose, text: string): string;
  /** Undefined if the text wasn't sealed by this service for this purpose. */
  unseal(purpose: SealPurpose, sealed: string): string | undefined;
  /** What was sealed, sealed again with the key that seals now, or unchanged if it is; undefined if it can't be unsealed. */
  reseal(purpose: SealPurpose, sealed: string): string | undefined;
}

/** Until when each key verifies, newest first, and which one signs and seals. Sealed text can be unsealed with all of them. */
export interface KeyValidity {
  readonly ends: readonly KeyEnds[];
  readonly signing: number;
  readonly clock: Clock;
}

/** For processes that verify nothing, and until the store has been read. */
const newestAlone: KeyValidity = { ends: [forever], signing: 0, clock: { now: () => 0 } };

export function serviceKeys(secrets: KeyList, validity: KeyValidity = newestAlone): ServiceKeys {
  // The type says so already; a caller without types, or with a cast, would otherwise sign with an empty key.
  if (!isKeyList(secrets)) throw new ConfigurationError([`the list of keys ${keyListRule}`]);
  const accessTokenKeys = deriveEach(secrets, (secret) => derive(secret, 'latchkey access token'));
  const sidKeys = deriveEach(secrets, (secret) => derive(secret, 'latchkey sid'));
  const formKeys = deriveEach(secrets, (secret) => derive(secret, 'latchkey form'));
  const sealKeys = deriveEach(secrets, (secret) => derive(secret, 'latchkey seal'));
  const ids = deriveEach(secrets, keyId);
  const signing = <Key>(keys: DerivedKeys<Key>) => keys[validity.signing] ?? keys[0];
  const formKey = signing(formKeys);
  const sealKey = signing(sealKeys);
  const verifyingForms = verifying(formKeys, validity.ends, 'forms');

  return {
    ids,
    signingId: signing(ids),
    accessTokenKey: signing(accessTokenKeys),
    accessTokenKeys: verifying(accessTokenKeys, validity.ends, 'accessTokens'),
    sidKey: (id) => (id === null ? undefined : sidKeys[ids.indexOf(id)]) ?? signing(sidKeys),
    sidKeys: verifying(sidKeys, validity.ends, 'hints'),
    publicIdTokenKey: (clientId) => derive(signing(secrets), `latchkey public id token ${clientId}`),
    stamp: (purpose, ...parts) => stampWith(formKey, purpose, parts),
    verifyStamp: (stamp, purpose, ...parts) =>
      verifyingForms(validity.clock.now()).some((key) => sameText(stamp, stampWith(key, purpose, parts))),
    seal: (purpose, text) => sealWith(sealKey, purpose, text),
    unseal: (purpose, sealed) => unsealWithAny(sealKeys, purpose, sealed),
    reseal(purpose, sealed) {
      if (unsealWith(sealKey, purpose, sealed) !== undefined) return sealed;
      const text = unsealWithAny(sealKeys, purpose, sealed);
      return text === undefined ? undefined : sealWith(sealKey, purpose, text);
    },
  };
}

/** Identifies a key in the store without revealing anything about it. */
export function keyId(secret: string): string {
  return derive(secret, 'latchkey key id').toString('base64url', 0, 16);
}

/** The keys that verify at a time. A key that has stopped doesn't come back if the clock goes back. */
function verifying<Key>(
  keys: DerivedKeys<Key>,
  ends: readonly KeyEnds[],
  use: keyof KeyEnds,
): (now: number) => readonly Key[] {
  let left = keys.map((key, index) => ({ key, until: (ends[index] ?? never)[use] }));
  let list: readonly Key[] = [];
  let listUntil = Number.NEGATIVE_INFINITY;
  return (now) => {
    if (now >= listUntil) {
      left = left.filter(({ until }) => now < until);
      list = left.map(({ key }) => key);
      listUntil = Math.min(...left.map(({ until }) => until));
    }
    return list;
  };
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}

function deriveEach<Key>([newest, ...older]: KeyList, deriveOne: (secret: string) => Key): DerivedKeys<Key> {
  return [deriveOne(newest), ...older.map(deriveOne)];
}

/** The parts are encoded as a JSON array, so that no two lists of parts have the same encoding. */
function stampWith(key: Uint8Array, purpose: string, parts: readonly string[]): string {
  return hmacSha256(key, JSON.stringify([purpose, ...parts]));
}

/** Nonce, ciphertext and tag, with the purpose as authenticated data. */
function sealWith(key: Uint8Array, purpose: string, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

function unsealWithAny(keys: readonly Uint8Array[], purpose: string, sealed: string): string | undefined {
  for (const key of keys) {
    const text = unsealWith(key, purpose, sealed);
    if (text !== undefined) return text;
  }
  return undefined;
}

function unsealWith(key: Uint8Array, purpose: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < 28) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-16));
  try {
    return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    // Sealed with another key, or not by this service.
    return undefined;
  }
}
