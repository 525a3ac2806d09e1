// The environment variables as `serve --help` prints them.

import { type ConfigVariable, configVariables, fileVariable, secretsInFiles } from '../../platform/config-variables.ts';

const variables: Readonly<Record<string, ConfigVariable>> = configVariables;

/** With their defaults. */
export function variableEntries(): (readonly [name: string, about: string])[] {
  return Object.entries(variables).flatMap(([name, { summary, standard, fallback }]) => [
    [name, `${summary} (${standard ?? fallback})`.replaceAll('`', '')] as const,
    ...(secretsInFiles.includes(name)
      ? [[fileVariable(name), `the file that contains it, instead of ${name}`] as const]
      : []),
  ]);
}
