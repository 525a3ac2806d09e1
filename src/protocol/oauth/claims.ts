// Which claims each scope gives a client access to. A claim without a value is left out, never null.

import type { Scope } from './scope.ts';

/** The part of a user that claims are made from. */
export interface ClaimsSubject {
  readonly id: string;
  readonly email: string;
  readonly emailVerifiedAt: number | null;
  readonly name: string;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly preferredUsername: string | null;
  readonly picture: string | null;
  readonly locale: string | null;
  readonly updatedAt: number;
}

export type UserClaims = { sub: string } & Record<string, string | number | boolean | readonly string[]>;

export function claimsFor(user: ClaimsSubject, scopes: readonly Scope[]): UserClaims {
  const claims: UserClaims = { sub: user.id };
  const add = (name: string, value: string | number | boolean | null) => {
    if (value !== null && value !== '') claims[name] = value;
  };
  if (scopes.includes('profile')) {
    add('name', user.name);
    add('given_name', user.givenName);
    add('family_name', user.familyName);
    add('preferred_username', user.preferredUsername);
    add('picture', user.picture);
    add('locale', user.locale);
    add('updated_at', Math.floor(user.updatedAt / 1000));
  }
  if (scopes.includes('email')) {
    add('email', user.email);
    add('email_verified', user.emailVerifiedAt !== null);
  }
  return claims;
}
