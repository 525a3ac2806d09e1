// node scripts/settings-reference.ts: brings the generated parts of docs/settings.md up to date. A test says when it's
// needed.

import { readFileSync, writeFileSync } from 'node:fs';
import { administratorSettingsReference, variablesReference } from '../src/cli/service/settings-reference.ts';
import { withGeneratedParts } from './generated-parts.ts';

export function withSettingsReference(text: string): string {
  return withGeneratedParts(text, { variables: variablesReference(), settings: administratorSettingsReference() });
}

if (import.meta.main) {
  const file = new URL('../docs/settings.md', import.meta.url);
  writeFileSync(file, withSettingsReference(readFileSync(file, 'utf8')));
}
