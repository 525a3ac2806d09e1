// Secrets that are in files, as Kubernetes, systemd and Docker provide them: NAME_FILE names the file that holds the value of
// NAME. A process's environment is easier to come by than a file that only its user can read.

import { readFileSync } from 'node:fs';
import { codeOf } from '../protocol/reading/caught-errors.ts';
import { type Environment, fileVariable, secretsInFiles } from './config-variables.ts';

/** The environment with the values of secrets that are in files. Problems with files are added to `problems`. */
export function withSecretsFromFiles(environment: Environment, problems: string[]): Environment {
  const found: Record<string, string> = {};
  for (const name of secretsInFiles) {
    const file = environment[fileVariable(name)];
    // Many tools can only express "not set" as an empty variable.
    if (!file) continue;
    if (environment[name]) problems.push(bothSet(name));
    else found[name] = readSecret(fileVariable(name), file, problems);
  }
  // The key file is opened later, because it's created if it doesn't exist.
  if (environment.LATCHKEY_KEYS && environment.LATCHKEY_KEYS_FILE) problems.push(bothSet('LATCHKEY_KEYS'));
  return Object.keys(found).length === 0 ? environment : { ...environment, ...found };
}

function bothSet(name: string): string {
  return `${name} and ${name}_FILE are both set; set only one of them`;
}

/** Problems never repeat the file's content. */
function readSecret(variable: string, file: string, problems: string[]): string {
  let text = '';
  try {
    // Editors and `echo` end a file with a newline.
    text = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
  } catch (error) {
    problems.push(`${variable}: can't read ${file} (${codeOf(error)})`);
    return '';
  }
  if (text.trim() === '') problems.push(`${variable}: ${file} is empty`);
  else if (/[\r\n]/.test(text)) problems.push(`${variable}: ${file} must contain a single line`);
  return text;
}
