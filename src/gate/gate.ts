// A running gate: what a proxy asks before it lets a request through.

import type { Clock } from '../platform/clock.ts';
import type { GateConfig } from './config.ts';

export interface GateLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

export interface RunningGate {
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

export async function startGate(
  _config: GateConfig,
  _options: { readonly clock?: Clock; readonly log: GateLog },
): Promise<RunningGate> {
  throw new Error('not built yet');
}
