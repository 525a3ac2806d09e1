// Names that people read: of persons and of applications.

import { hasControlCharacters } from './text.ts';

const nameLimit = 100;

/** A sentence that says what is wrong with a name, or undefined. */
export function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'is empty';
  if ([...name].length > nameLimit) return `is longer than ${nameLimit} characters`;
  return hasControlCharacters(name) || !name.isWellFormed() ? 'has control characters' : undefined;
}
