// Everything that operations depend on, constructed in cli/compose.ts and passed in.

import type { Clock, StoreClock } from '../platform/clock.ts';
import type { ServiceKeys } from '../platform/keys.ts';
import type { Passwords } from '../platform/passwords/passwords.ts';
import type { UpstreamConnector } from '../platform/upstreams/connector.ts';
import type { Webauthn } from '../platform/webauthn.ts';
import type { EmailTemplates } from '../protocol/emails.ts';
import type { RandomBytes } from '../protocol/identifiers.ts';
import type { Storage, Upstream } from '../storage/storage.ts';
import type { AccessTokens } from './in-memory/access-tokens.ts';
import type { CurrentSettings } from './in-memory/current-settings.ts';
import type { Downloads } from './in-memory/downloads.ts';
import type { ApprovalLimit, SecretGuessLimit } from './in-memory/oauth-limits.ts';
import type { RecentlyRead } from './in-memory/recently-read.ts';
import type { RefusalDelay } from './in-memory/refusal-delay.ts';
import type { Journal } from './journal/journal.ts';
import type { EmailQueue } from './mail/email-queue.ts';
import type { Meters } from './meters.ts';
import type { WebhookQueue } from './webhook-queue/webhook-queue.ts';

export interface Services {
  /** The configured base URL, which is the issuer of every token. */
  readonly issuer: string;
  readonly storage: Storage;
  readonly settings: CurrentSettings;
  readonly clock: Clock;
  readonly storeClock: StoreClock;
  readonly random: RandomBytes;
  readonly keys: ServiceKeys;
  readonly accessTokens: AccessTokens;
  readonly passwords: Passwords;
  readonly refusals: RefusalDelay;
  readonly isCommonPassword: (password: string) => boolean;
  /** Whether it's known from breaches. False when that can't be told: a missing file keeps no one out. */
  readonly isBreachedPassword: (password: string) => Promise<boolean>;
  readonly webauthn: Webauthn;
  readonly journal: Journal;
  readonly emailQueue: EmailQueue;
  readonly webhooks: WebhookQueue;
  readonly upstreams: UpstreamConnector;
  /** Those that aren't disabled, oldest first, for every page that shows their buttons. A sign-in asks the store. */
  readonly openUpstreams: RecentlyRead<readonly Upstream[]>;
  readonly meters: Meters;
  /** The emails in the language of their recipient. */
  readonly emailsFor: (locale: string | null | undefined) => EmailTemplates;
  readonly secretGuesses: SecretGuessLimit;
  readonly approvals: ApprovalLimit;
  readonly downloads: Downloads;
}

/** The services that many operations need, in groups that are named after what needs them. The others are picked one by one. */
export type Storing = Pick<Services, 'storage'>;
export type Timing = Pick<Services, 'storage' | 'clock'>;
/** Writing a change together with its event. */
export type Recording = Pick<Services, 'storage' | 'clock' | 'journal'>;
export type Metering = Pick<Services, 'meters'>;
export type Mailing = Pick<Services, 'emailQueue' | 'emailsFor'>;
/** Making links that work once. */
export type Linking = Pick<Services, 'issuer' | 'clock' | 'random'>;
export type PasswordRules = Pick<Services, 'isCommonPassword' | 'isBreachedPassword' | 'settings'>;
