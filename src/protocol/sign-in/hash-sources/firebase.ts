// Firebase's scrypt. It derives a key from the password, encrypts the project's signer key with it, and calls the result
// the hash.

import { accept, fromBase64, type HashReading, refuse, unreadable } from './reading.ts';

/** Of a whole project; its console shows them as "Password hash parameters". */
export interface FirebaseParameters {
  /** In Base64. */
  readonly signerKey: string;
  readonly saltSeparator: string;
  readonly rounds: number;
  readonly memCost: number;
}

export function firebaseHash(passwordHash: string, salt: string, parameters: FirebaseParameters): HashReading {
  const [tag, ownSalt, signerKey] = [passwordHash, salt, parameters.signerKey].map(fromBase64);
  // A separator may be empty.
  const separator = parameters.saltSeparator === '' ? Buffer.alloc(0) : fromBase64(parameters.saltSeparator);
  if (tag === undefined || ownSalt === undefined || signerKey === undefined || separator === undefined)
    return unreadable;
  if (Buffer.from(tag).toString() === 'REDACTED') {
    return refuse('Firebase left it out: export it with an account that may see the hash parameters of the project');
  }
  if (tag.length !== signerKey.length) return refuse('it was made with another signer key');
  return accept({
    algorithm: 'scrypt',
    variant: 'firebase',
    logN: parameters.memCost,
    r: parameters.rounds,
    p: 1,
    salt: Buffer.concat([ownSalt, separator]),
    // Encryption is a combination with a key stream. That stream is all that has to be compared, and with it in place of
    // the hash, the signer key, which protects every account of the project, isn't stored here.
    tag: tag.map((byte, index) => byte ^ (signerKey[index] ?? 0)),
  });
}
