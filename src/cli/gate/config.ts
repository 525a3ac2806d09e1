// The gate's file, as its commands read it from disk.

import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { GateConfig } from '../../gate/config-file.ts';
import { readGateConfig } from '../../gate/config-file.ts';
import type { Environment } from '../../platform/config.ts';
import { CommandFailed, readingFile } from '../command.ts';

export interface LoadedConfig {
  readonly config: GateConfig;
  readonly warnings: readonly string[];
}

export function loadGateConfig(file: string, environment: Environment): LoadedConfig {
  const text = readingFile(file, () => new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)));
  const readFile = (path: string) => readFileSync(path, 'utf8');
  // Not its group: the one who checks the file may be its owner, and the gate another user.
  const isExposed = (path: string) => (statSync(path).mode & 0o007) !== 0;
  const read = readGateConfig(text, { folder: dirname(file), environment, readFile, isExposed });
  if (read.kind === 'read') return read;
  throw new CommandFailed(`${file} has problems:\n${read.problems.map((problem) => `  - ${problem}`).join('\n')}`);
}
