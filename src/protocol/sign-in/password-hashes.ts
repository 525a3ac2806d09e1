// What a stored password hash says about its owner. How hashes are made and checked is up to platform/.

/** Of a person without a password, who signs in with an upstream or a passkey. */
export const noPassword = '';

/** The prefix of a hash of another service. The first sign-in replaces it. */
export const foreignPrefix = 'foreign:';

export function hasPassword(user: { readonly passwordHash: string }): boolean {
  return user.passwordHash !== noPassword;
}

export function isForeignHash(hash: string): boolean {
  return hash.startsWith(foreignPrefix);
}
