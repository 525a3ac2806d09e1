// The generated parts of docs/settings.md, made from the tables that the service itself reads.

import { type ConfigVariable, configVariables, fileVariable, secretsInFiles } from '../../platform/config-variables.ts';
import { rowsOf } from '../../protocol/resources/resource.ts';
import { settingFields } from '../../protocol/resources/settings.ts';
import { asAbout } from '../frame/field-options.ts';

const variables: readonly [string, ConfigVariable][] = Object.entries(configVariables);

/** The environment variables in Markdown, a section each. */
export function variablesReference(): string {
  return variables
    .map(([name, { summary, standard, fallback, details }]) => {
      const meaning = `${summary.replace(/^[a-z]/, (letter) => letter.toUpperCase())}.`;
      const file = `Instead, \`${fileVariable(name)}\` can name [a file that contains it](#secrets-in-files).`;
      const whole = [meaning, details, ...(secretsInFiles.includes(name) ? [file] : [])].join(' ');
      return `### ${name}\n\n${whole}\n\nDefault: ${standard === undefined ? fallback : `\`${standard}\``}\n`;
    })
    .join('\n');
}

/** The settings that administrators make, as a table in Markdown. */
export function administratorSettingsReference(): string {
  const rows = rowsOf(settingFields).map(({ name, field: { rule, initial, description } }) => {
    const standard = initial === null ? 'none' : String(initial) === '' ? 'empty' : `\`${initial}\``;
    const values = rule?.replace(/^must be (one of: )?/, '') ?? 'a PNG, JPEG or WebP image of at most 512 KB';
    return `| \`${name}\` | ${asAbout(description)} | ${values} | ${standard} |`;
  });
  return ['| name | meaning | value | default |', '|---|---|---|---|', ...rows].join('\n');
}
