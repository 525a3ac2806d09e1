// Which claims a scope covers (decision 12). A claim without a value is left out, never null.

import type { Scope } from './scope.ts';

export interface Person {
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

export type UserClaims = { sub: string } & Record<string, string | number | boolean>;

export function claimsFor(person: Person, scopes: readonly Scope[]): UserClaims {
  const claims: UserClaims = { sub: person.id };
  const add = (name: string, value: string | number | boolean | null) => {
    if (value !== null && value !== '') claims[name] = value;
  };
  if (scopes.includes('profile')) {
    add('name', person.name);
    add('given_name', person.givenName);
    add('family_name', person.familyName);
    add('preferred_username', person.preferredUsername);
    add('picture', person.picture);
    add('locale', person.locale);
    add('updated_at', Math.floor(person.updatedAt / 1000));
  }
  if (scopes.includes('email')) {
    add('email', person.email);
    add('email_verified', person.emailVerifiedAt !== null);
  }
  return claims;
}
