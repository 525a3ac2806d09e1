// What operations work with. It is constructed in one place (cli/compose.ts) and passed in.

import type { Clock } from '../platform/clock.ts';
import type { ServiceKeys } from '../platform/keys.ts';
import type { Passwords } from '../platform/passwords.ts';
import type { RandomBytes } from '../protocol/identifiers.ts';
import type { Storage } from '../storage/storage.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { GuessLimit } from './guess-limit.ts';
import type { Journal } from './journal.ts';

export interface Services {
  /** The configured base URL: the issuer of every token. */
  readonly issuer: string;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly keys: ServiceKeys;
  readonly accessTokens: AccessTokens;
  readonly passwords: Passwords;
  readonly journal: Journal;
  readonly guesses: GuessLimit;
}
