// What every route of the gate works with, and their paths, which a proxy passes on to the gate.

import type { GateApplication } from './config-file.ts';
import type { Issuer } from './issuer.ts';
import type { GateMeters } from './meters.ts';
import type { GateKeys } from './sealing.ts';
import type { Sessions } from './sessions.ts';

export const checkPath = '/gate/check';
export const signInPath = '/gate/sign-in';
export const callbackPath = '/gate/callback';
export const signOutPath = '/gate/sign-out';
export const backchannelLogoutPath = '/gate/backchannel-logout';
export const healthPath = '/gate/healthz';

export interface GateLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

export interface GateContext {
  /** Latchkey's base URL. */
  readonly issuerUrl: string;
  /** By host. */
  readonly applications: ReadonlyMap<string, GateApplication>;
  readonly sessions: Sessions;
  readonly keys: GateKeys;
  readonly issuer: Issuer;
  readonly log: GateLog;
  readonly meters: GateMeters;
  readonly now: () => number;
  /** Logs what an operator has to fix, once in a while and not for every request that a stranger sends. */
  notice(
    about: 'peer' | 'headers' | 'host' | 'file' | 'endpoints' | 'answer' | 'sign-in' | 'secret' | 'logout',
    text: string,
    facts?: object,
  ): void;
}
