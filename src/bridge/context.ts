// What every route of the bridge works with, and their paths.

import type { OutageLog } from '../platform/outage.ts';
import type { CookieKind } from '../platform/relying-party/cookies.ts';
import type { Answer, Issuer, Registration } from '../platform/relying-party/issuer.ts';
import type { Notice } from '../platform/relying-party/notices.ts';
import type { BridgeApplication, BridgeConfig } from './config-file.ts';
import type { BridgeKeys } from './database.ts';
import type { GrantFacts, Grants } from './grants.ts';
import type { KeyStore } from './key-store.ts';
import type { BridgeMeters } from './meters.ts';

export const paths = {
  authorize: '/authorize',
  token: '/token',
  userinfo: '/userinfo',
  revoke: '/revoke',
  keys: '/jwks',
  callback: '/callback',
  signOut: '/sign-out',
  signedOut: '/signed-out',
  backchannelLogout: '/backchannel-logout',
  health: '/healthz',
  ready: '/readyz',
} as const;

/** What opens the sign-ins of one browser. */
export function browserCookie({ baseUrl }: BridgeConfig): CookieKind {
  return { name: 'latchkey_bridge', secure: baseUrl.startsWith('https:') };
}

/** An application, with the secrets that its files have now. */
export interface Application extends Omit<BridgeApplication, 'clientSecret' | 'applicationSecret'> {
  /** The client at Latchkey. */
  registration(): Registration;
  /** What the application itself may present. */
  presented(): readonly string[];
}

export interface BridgeContext {
  readonly config: BridgeConfig;
  /** By client ID. */
  readonly applications: ReadonlyMap<string, Application>;
  readonly grants: Grants;
  readonly keys: BridgeKeys;
  readonly signingKeys: KeyStore;
  readonly issuer: Issuer;
  /** Asks Latchkey, unless it didn't answer a moment ago. */
  readonly ask: <Value>(question: () => Promise<Answer<Value>>) => Promise<Answer<Value>>;
  /** Lets Latchkey know that grants are over. It's tried once: nobody can use their tokens here. */
  readonly revoke: (grants: readonly GrantFacts[]) => Promise<void>;
  readonly log: OutageLog;
  readonly meters: BridgeMeters;
  readonly now: () => number;
  readonly notice: Notice<'sign-in' | 'secret' | 'logout' | 'application' | 'answer' | 'keys' | 'request'>;
}
