// What commands and the service say about the filter of breached passwords that LATCHKEY_BREACHED_PASSWORDS names.

import {
  type BreachedPasswords,
  breachedPasswords,
  noBreachedPasswords,
} from '../../platform/breached-passwords/breached-passwords.ts';
import { FilterFile } from '../../platform/breached-passwords/filter-file.ts';
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
    throw new CommandFailed(`LATCHKEY_BREACHED_PASSWORDS: ${sentence(config, error)}`);
  }
}

/** For `doctor`: reads the whole file. Undefined without one. */
export async function examineBreaches(config: Config): Promise<{ state: 'ok' | 'problem'; text: string } | undefined> {
  if (config.breachedPasswords === undefined) return undefined;
  let filter: FilterFile | undefined;
  try {
    filter = await FilterFile.open(config.breachedPasswords);
    await filter.checkCompletely();
    const { hashes, minCount } = filter.header;
    const seen = minCount > 1 ? `, seen at least ${minCount.toLocaleString('en')} times` : '';
    return { state: 'ok', text: `${hashes.toLocaleString('en')} in ${config.breachedPasswords}${seen}.` };
  } catch (error) {
    if (!(error instanceof FilterUnusable)) throw error;
    return { state: 'problem', text: sentence(config, error) };
  } finally {
    await filter?.close();
  }
}

function sentence(config: Config, { message }: FilterUnusable): string {
  return `${config.breachedPasswords} ${message}.`;
}
