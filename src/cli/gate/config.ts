// The gate's file, as its commands read it from disk.

import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { GateConfig } from '../../gate/config.ts';
import { readGateConfig } from '../../gate/config-file.ts';
import type { Environment } from '../../platform/config.ts';
import { isExposed } from '../../platform/key-file.ts';
import { CommandFailed, readingFile } from '../command.ts';

export interface LoadedConfig {
  readonly config: GateConfig;
  readonly warnings: readonly string[];
}

export function loadGateConfig(file: string, environment: Environment): LoadedConfig {
  const text = readingFile(file, () => new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)));
  const readFile = (path: string) => readFileSync(path, 'utf8');
  const read = readGateConfig(text, { folder: dirname(file), environment, readFile, isExposed });
  if (read.kind === 'read') return read;
  throw new CommandFailed(`${file} has problems:\n${read.problems.map((problem) => `  - ${problem}`).join('\n')}`);
}
