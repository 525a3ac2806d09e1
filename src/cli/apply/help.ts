// What the help of `latchkey apply` says about a section, from its row and the table of its fields.

import type { FileSection } from '../../operations/apply/file-section.ts';
import { settableRows } from '../../operations/apply/read-section.ts';
import type { Field } from '../../protocol/resources/field.ts';
import { isNeeded } from '../../protocol/resources/resource.ts';
import { asAbout } from '../frame/field-options.ts';
import type { Entry, Section } from '../frame/spec.ts';

export function helpOf({ name, noun, key, fields, more = {} }: FileSection): Section {
  const rows = settableRows(fields);
  const isField = rows.some((row) => row.name === key);
  return {
    heading: `Each of "${name}"`,
    entries: [
      ...(isField ? [] : [[key, `you choose it; it identifies ${noun.replace(/^an? /, 'the ')} (required)`] as const]),
      ...rows.map((row): Entry => [row.name, aboutField(row.field)]),
      ...Object.entries(more).map(([member, { about }]): Entry => [member, about]),
    ],
  };
}

function aboutField(field: Field): string {
  const { kind, description, values = [], nullable, absentInFile, initial } = field;
  const start = Array.isArray(initial) ? initial.join(' ') || 'none' : String(initial);
  const notes = [
    ...(kind === 'image' ? ['a path relative to FILE, or a data URL'] : []),
    ...(kind === 'secret' ? ['{"env": NAME} or {"file": PATH}'] : []),
    ...(kind === 'choice' ? [values.join('|')] : []),
    ...(nullable ? ['can be null'] : []),
    ...(isNeeded(field) && kind !== 'secret' ? ['required'] : []),
    ...(absentInFile === 'initial' ? [`default: ${start}`] : []),
  ];
  return `${asAbout(description)}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}
