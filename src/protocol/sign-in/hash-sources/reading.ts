// The result of reading a hash of another service, and the encodings that those services use.

import { readJson } from '../../reading/strict-json.ts';
import { type ForeignHash, foreignHashProblem, formatForeignHash } from '../foreign-hashes.ts';

/** `stored` is what to keep; `reason` completes a sentence about the hash, for the person importing it. */
export type HashReading = { kind: 'accepted'; stored: string } | { kind: 'refused'; reason: string };

export function accept(hash: ForeignHash): HashReading {
  const problem = foreignHashProblem(hash);
  return problem === undefined ? { kind: 'accepted', stored: formatForeignHash(hash) } : refuse(problem);
}

export function refuse(reason: string): HashReading {
  return { kind: 'refused', reason };
}

export const unreadable = refuse('it is not written as this service writes its hashes');
export const unsalted = refuse("hashes without a salt aren't accepted, because they hardly protect the password");
export const md5 = refuse("MD5 isn't accepted, because it hardly protects the password");

/** Base64 of either alphabet, with or without padding; undefined for anything else. */
export function fromBase64(text: string): Uint8Array | undefined {
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

export function fromHex(text: string): Uint8Array | undefined {
  return /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
}

export function fromText(text: string): Uint8Array {
  return Buffer.from(text);
}

/** 0, which is never accepted, for what isn't a plain number. */
export function count(text: string | undefined): number {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** The binary logarithm of scrypt's N, which is a power of two; 0, which is never accepted, for any other number. */
export function logOfN(n: number): number {
  const log = Math.log2(n);
  return Number.isInteger(log) ? log : 0;
}

/** The JSON object that a text holds. */
export function objectOf(json: string): Readonly<Record<string, unknown>> | undefined {
  const value = jsonOf(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

export function jsonOf(json: string): unknown {
  const read = readJson(json);
  return read.kind === 'read' ? read.value : undefined;
}
