// A passkey in software. It answers as a browser would, or wrongly if a test asks for it.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

function cbor(value: Cbor): Buffer {
  const head = (major: number, size: number) => {
    if (size < 24) return Buffer.from([(major << 5) | size]);
    return size < 256
      ? Buffer.from([(major << 5) | 24, size])
      : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (isList(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, member]) => [cbor(key), cbor(member)])]);
}

const isList = (value: readonly Cbor[] | ReadonlyMap<number | string, Cbor>): value is readonly Cbor[] =>
  Array.isArray(value);

export const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
export const flag = { present: 0x01, verified: 0x04, attested: 0x40 };

/** What to put into an answer instead of the right values. */
export interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly flags?: number;
  readonly counter?: number;
  readonly key?: KeyObject;
  readonly id?: string;
  /** What vouches for a new passkey, instead of nothing. */
  readonly attestation?: (about: Attested) => Attestation;
  /** Changes the answer after it is signed. */
  readonly bend?: (answer: Answer) => unknown;
}

/** What an attestation signs, and the passkey's keys. */
export interface Attested {
  readonly authData: Buffer;
  readonly clientDataHash: Buffer;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export interface Attestation {
  readonly format: string;
  readonly statement: ReadonlyMap<string, Cbor>;
}

export interface Answer {
  id: string;
  rawId: string;
  type: string;
  clientExtensionResults: object;
  response: Record<string, unknown>;
}

export interface Challenge {
  readonly options: Record<string, unknown> & { challenge: string };
  /** The service's own record of the challenge, to be sent with the answer. */
  readonly challenge: string;
}

export class SoftwareAuthenticator {
  readonly id = randomBytes(32).toString('base64url');
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  counter = 0;

  /** `origin` is that of the page that asks for the passkey. */
  constructor(origin: string) {
    this.#origin = origin;
  }

  create({ options }: Challenge, lies: Lies = {}): string {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const point = [x, y].map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer];
    // COSE: an elliptic curve, ES256, P-256.
    const key = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point[0]],
      [-3, point[1]],
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([id.length >> 8, id.length & 255]), id, cbor(key)]);
    const authData = Buffer.concat([this.#state(flag.present | flag.verified | flag.attested, lies), attested]);
    const clientData = this.#clientData('webauthn.create', options, lies);
    const { format, statement } = lies.attestation?.({
      ...this.#keys,
      authData,
      clientDataHash: sha256(clientData),
    }) ?? { format: 'none', statement: new Map() };
    const attestation = new Map<string, Cbor>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', authData],
    ]);
    const response = {
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal'],
    };
    return this.#answer(response, lies);
  }

  get({ options }: Challenge, lies: Lies = {}): string {
    const state = this.#state(flag.present | flag.verified, lies);
    const clientData = this.#clientData('webauthn.get', options, lies);
    const signed = Buffer.concat([state, sha256(clientData)]);
    const response = {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: state.toString('base64url'),
      signature: sign('sha256', signed, lies.key ?? this.#keys.privateKey).toString('base64url'),
    };
    return this.#answer(response, lies);
  }

  #state(flags: number, lies: Lies): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(lies.flags ?? flags, 0);
    rest.writeUInt32BE(lies.counter ?? this.counter, 1);
    return Buffer.concat([sha256(lies.rpId ?? 'localhost'), rest]);
  }

  #clientData(type: string, options: Challenge['options'], lies: Lies): Buffer {
    const data = { type: lies.type ?? type, challenge: lies.challenge ?? options.challenge };
    return Buffer.from(JSON.stringify({ ...data, origin: lies.origin ?? this.#origin, crossOrigin: false }));
  }

  #answer(response: Record<string, unknown>, lies: Lies): string {
    const id = lies.id ?? this.id;
    const answer = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
    return JSON.stringify(lies.bend?.(answer) ?? answer);
  }
}
