// The service's own keys. One secret, newest first in a list, and from each the keys for the separate purposes, so that
// what is signed for one purpose is worth nothing for another.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { sameText } from '../protocol/digest.ts';
import { areKeys, ConfigurationError, keysRule } from './config.ts';

export interface ServiceKeys {
  /** Signs access tokens; the first signs, all verify. */
  readonly accessTokenKeys: readonly KeyObject[];
  /** The key of a public client's ID tokens, which nobody is told. */
  publicIdTokenKey(clientId: string): Uint8Array;
  /** A stamp over the parts of a form, so that it can be recognised when it comes back. */
  stamp(purpose: string, ...parts: string[]): string;
  verifyStamp(stamp: string, purpose: string, ...parts: string[]): boolean;
  /** Text that only this service can read again: what has to be kept, and is not to be found in a stolen database. */
  seal(purpose: string, text: string): string;
  /** Undefined when it was not sealed here, for this purpose. */
  unseal(purpose: string, sealed: string): string | undefined;
}

export interface LoadedKeys extends ServiceKeys {
  /** Takes on what the key file says now; true when it has changed. A file that cannot be read changes nothing. */
  refresh(): boolean;
}

interface KeySource {
  readonly keys: string | undefined;
  readonly keysFile: string;
}

/** The configured keys: from the environment, or from the key file, which is made on first use and may change. */
export function loadKeys(config: KeySource): LoadedKeys {
  let text = readKeys(config);
  let current = serviceKeys(parseKeys(text, sourceOf(config)));
  return {
    get accessTokenKeys() {
      return current.accessTokenKeys;
    },
    publicIdTokenKey: (clientId) => current.publicIdTokenKey(clientId),
    stamp: (purpose, ...parts) => current.stamp(purpose, ...parts),
    verifyStamp: (stamp, purpose, ...parts) => current.verifyStamp(stamp, purpose, ...parts),
    seal: (purpose, plain) => current.seal(purpose, plain),
    unseal: (purpose, sealed) => current.unseal(purpose, sealed),
    refresh() {
      if (config.keys !== undefined) return false;
      try {
        const now = readFileSync(config.keysFile, 'utf8');
        if (now === text) return false;
        current = serviceKeys(parseKeys(now, config.keysFile));
        text = now;
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Puts a new key before the others; they go on opening what was made with them. Tells how many there are then. */
export function rotateKeys(file: string): number {
  const keys = parseKeys(readFileSync(file, 'utf8'), file);
  const rotated = [randomBytes(32).toString('base64url'), ...keys];
  // Under another name first: whoever reads the file finds the old keys or the new ones, never half of them.
  const unfinished = `${file}.unfinished`;
  writeFileSync(unfinished, `${rotated.join('\n')}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
  return rotated.length;
}

function sourceOf(config: KeySource): string {
  return config.keys === undefined ? config.keysFile : 'LATCHKEY_KEYS';
}

function readKeys(config: KeySource): string {
  if (config.keys !== undefined) return config.keys;
  if (!existsSync(config.keysFile)) {
    const text = `${randomBytes(32).toString('base64url')}\n`;
    try {
      writeFileSync(config.keysFile, text, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  if ((statSync(config.keysFile).mode & 0o077) !== 0) chmodSync(config.keysFile, 0o600);
  return readFileSync(config.keysFile, 'utf8');
}

function parseKeys(text: string, source: string): string[] {
  if (!areKeys(text)) throw new ConfigurationError([`${source} ${keysRule}`]);
  return text.split(/[\s,]+/).filter(Boolean);
}

export function serviceKeys(secrets: readonly string[]): ServiceKeys {
  const derive = (secret: string, purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  // As a key object: Node need not take the bytes apart at every signature.
  const accessTokenKeys = secrets.map((secret) => createSecretKey(derive(secret, 'latchkey access token')));
  const formKeys = secrets.map((secret) => derive(secret, 'latchkey form'));
  const sealKeys = secrets.map((secret) => derive(secret, 'latchkey seal'));
  const [newest = ''] = secrets;

  // Parts are written as a JSON array, so that no two lists of parts share a spelling.
  const stampWith = (key: Uint8Array, purpose: string, parts: readonly string[]) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, ...parts]))
      .digest('base64url');

  return {
    accessTokenKeys,
    publicIdTokenKey: (clientId) => derive(newest, `latchkey public id token ${clientId}`),
    stamp: (purpose, ...parts) => stampWith(formKeys[0] as Uint8Array, purpose, parts),
    seal(purpose, text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', sealKeys[0] as Uint8Array, nonce).setAAD(Buffer.from(purpose));
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
        'base64url',
      );
    },
    unseal(purpose, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < 28) return undefined;
      for (const key of sealKeys) {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
        decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-16));
        try {
          return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
        } catch {
          // Sealed with another key, or not by us.
        }
      }
      return undefined;
    },
    verifyStamp: (stamp, purpose, ...parts) => formKeys.some((key) => sameText(stamp, stampWith(key, purpose, parts))),
  };
}
