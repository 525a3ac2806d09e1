// The credentials of a Keycloak realm export: two JSON texts, one about the algorithm and one with salt and hash.

import type { ShaDigest } from '../foreign-hashes.ts';
import { accept, count, fromBase64, type HashReading, objectOf, refuse, unreadable } from './reading.ts';

const pbkdf2Names: Readonly<Record<string, ShaDigest>> = {
  pbkdf2: 'sha1',
  'pbkdf2-sha256': 'sha256',
  'pbkdf2-sha512': 'sha512',
};

export function keycloakHash(credentialData: string, secretData: string): HashReading {
  const [data, secret] = [objectOf(credentialData), objectOf(secretData)];
  if (data === undefined || secret === undefined) return unreadable;
  const [salt, tag] = [bytesOf(secret.salt), bytesOf(secret.value)];
  if (salt === undefined || tag === undefined || typeof data.algorithm !== 'string') return unreadable;
  const iterations = Number(data.hashIterations ?? 0);
  const digest = pbkdf2Names[data.algorithm];
  if (digest !== undefined) return accept({ algorithm: 'pbkdf2', digest, iterations, salt, tag });
  if (data.algorithm !== 'argon2')
    return refuse(`Keycloak's algorithm ${JSON.stringify(data.algorithm)} isn't known here`);
  const parameters = objectOf(JSON.stringify(data.additionalParameters ?? {})) ?? {};
  // Every parameter is a list of one text.
  const parameter = (name: string) => String([parameters[name]].flat()[0]);
  const type = parameter('type');
  if (type !== 'i' && type !== 'id') return refuse('of the Argon2 family, only Argon2i and Argon2id are supported');
  if (parameter('version') !== '1.3') return refuse('of Argon2, only version 1.3 is supported');
  const cost = { memory: count(parameter('memory')), parallelism: count(parameter('parallelism')) };
  return accept({ algorithm: `argon2${type}`, ...cost, passes: iterations, salt, tag });
}

function bytesOf(value: unknown): Uint8Array | undefined {
  return typeof value === 'string' ? fromBase64(value) : undefined;
}
