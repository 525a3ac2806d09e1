// Attestations of new passkeys that a hostile sender makes up: signed by the passkey itself, or with certificates of a
// root of their own that name a list of revoked certificates at any URL.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Attestation, Attested, Cbor } from './software-authenticator.ts';

const ES256 = -7;

/** By the passkey's own key, without a certificate. */
export function selfAttestation({ authData, clientDataHash, privateKey }: Attested): Attestation {
  const signature = sign('sha256', Buffer.concat([authData, clientDataHash]), privateKey);
  return {
    format: 'packed',
    statement: new Map<string, Cbor>([
      ['alg', ES256],
      ['sig', signature],
    ]),
  };
}

/** With certificates, in the format of a TPM, an Android phone or a security key. They are valid, but for the root. */
export function certifiedAttestation(format: string, revocationList: string) {
  return ({ authData, clientDataHash, publicKey, privateKey }: Attested): Attestation => {
    const root = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const extensions = [
      extension([0x55, 0x1d, 0x1f], distributionPoint(revocationList)),
      extension([0x2b, 0x06, 0x01, 0x04, 0x01, 0xd6, 0x79, 0x02, 0x01, 0x11], keyDescription(clientDataHash)),
      extension([0x55, 0x1d, 0x13], der(0x30)),
    ];
    const certificates = [
      certificate('leaf', publicKey, extensions, root.privateKey),
      certificate('root', root.publicKey, [], root.privateKey),
    ];
    const signature = sign('sha256', Buffer.concat([authData, clientDataHash]), privateKey);
    return {
      format,
      statement: new Map<string, Cbor>([
        ['alg', ES256],
        ['sig', signature],
        ['x5c', certificates],
      ]),
    };
  };
}

/** The DER encoding of a value of this tag. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(content);
  const { length } = bytes;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), bytes]);
}

const sequence = (...content: readonly Uint8Array[]) => der(0x30, ...content);
const integer = (value: number) => der(0x02, Buffer.from([value]));
const enumerated = (value: number) => der(0x0a, Buffer.from([value]));
const identifier = (bytes: readonly number[]) => der(0x06, Buffer.from(bytes));
const octets = (bytes: Uint8Array) => der(0x04, bytes);
const bits = (bytes: Uint8Array) => der(0x03, Buffer.from([0]), bytes);

/** CN, O, OU and C, as a certificate for attestations needs them. */
function subject(name: string): Buffer {
  const part = (last: number, tag: number, text: string) =>
    der(0x31, sequence(identifier([0x55, 0x04, last]), der(tag, Buffer.from(text))));
  return sequence(
    part(6, 0x13, 'US'),
    part(10, 0x0c, 'Hostile'),
    part(11, 0x0c, 'Authenticator Attestation'),
    part(3, 0x0c, name),
  );
}

function certificate(name: string, key: KeyObject, extensions: readonly Buffer[], signer: KeyObject): Buffer {
  const ecdsaWithSha256 = sequence(identifier([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
  const time = (text: string) => der(0x17, Buffer.from(text));
  const content = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    subject('root'),
    sequence(time('250101000000Z'), time('490101000000Z')),
    subject(name),
    key.export({ format: 'der', type: 'spki' }),
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  return sequence(content, ecdsaWithSha256, bits(sign('sha256', content, signer)));
}

const extension = (id: readonly number[], value: Buffer) => sequence(identifier(id), octets(value));

const distributionPoint = (url: string) => sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(url))))));

/** What Android says about a key. */
const keyDescription = (challenge: Uint8Array) =>
  sequence(
    integer(4),
    enumerated(1),
    integer(4),
    enumerated(1),
    octets(challenge),
    octets(Buffer.alloc(0)),
    sequence(),
    sequence(),
  );
