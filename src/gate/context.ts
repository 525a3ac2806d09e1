// What every route of the gate works with, and their paths, which a proxy passes on to the gate.

import type { OutageLog } from '../platform/outage.ts';
import type { Issuer } from '../platform/relying-party/issuer.ts';
import type { Notice } from '../platform/relying-party/notices.ts';
import type { GateApplication } from './config-file.ts';
import type { GateMeters } from './meters.ts';
import type { GateKeys } from './sealing.ts';
import type { Sessions } from './sessions.ts';

export const checkPath = '/gate/check';
export const signInPath = '/gate/sign-in';
export const callbackPath = '/gate/callback';
export const signOutPath = '/gate/sign-out';
export const backchannelLogoutPath = '/gate/backchannel-logout';
export const healthPath = '/gate/healthz';

export type GateLog = OutageLog;

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
  readonly notice: Notice<
    'peer' | 'headers' | 'host' | 'file' | 'endpoints' | 'answer' | 'sign-in' | 'secret' | 'logout'
  >;
}
