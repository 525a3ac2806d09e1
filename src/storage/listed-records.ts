// What lists show besides the records themselves.

import type { Total } from '../protocol/admin/totals.ts';
import type { Client, Group, User } from './records.ts';

/** Without what no list shows. */
export type ShownUser = Omit<
  User,
  | 'passwordHash'
  | 'generation'
  | 'sessionGeneration'
  | 'reviewSince'
  | 'picture'
  | 'locale'
  | 'externalId'
  | 'adoptedAt'
  | 'lostFactorAt'
>;

export interface ListedUser extends ShownUser {
  /** Null for someone who has never signed in. */
  readonly lastSignInAt: number | null;
  /** Signed in, or used an application or an API key. Null for someone who never has. */
  readonly lastActiveAt: number | null;
  /** Suspended factors don't count. */
  readonly hasSecondFactor: boolean;
}

/** How many people use it, and when one last did. */
export interface ListedClient extends Client {
  readonly people: Total;
  readonly lastUsedAt: number | null;
}

/** How many are in it, and how many clients it gives them access to. */
export interface ListedGroup extends Group {
  readonly members: Total;
  readonly clients: Total;
}

/** How many people have an identity at an upstream, and how many of those who were counted have no other way to sign in. */
export interface UpstreamPeople {
  readonly all: Total;
  readonly withoutOtherWay: Total;
}
