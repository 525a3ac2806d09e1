// What commands and the service say about the filter of breached passwords that LATCHKEY_BREACHED_PASSWORDS names.

import {
  type BreachedPasswords,
  breachedPasswords,
  noBreachedPasswords,
} from '../../platform/breached-passwords/breached-passwords.ts';
import { FilterUnusable } from '../../platform/breached-passwords/filter-format.ts';
import type { Config } from '../../platform/config.ts';
import { CommandFailed } from '../command.ts';

export function openBreaches({ breachedPasswords: file }: Config): BreachedPasswords {
  return file === undefined ? noBreachedPasswords : breachedPasswords(file);
}

/** Runs what needs the filter. If the filter can't be used, the command fails, or the service doesn't start. */
export async function explainFilterErrors<Result>(config: Config, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FilterUnusable)) throw error;
    throw new CommandFailed(`LATCHKEY_BREACHED_PASSWORDS: ${filterSentence(config, error)}`);
  }
}

export function filterSentence(config: Config, { message }: FilterUnusable): string {
  return `${config.breachedPasswords} ${message}.`;
}
