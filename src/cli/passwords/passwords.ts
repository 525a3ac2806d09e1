// `latchkey passwords …`: what has to do with the passwords of everybody.

import type { CommandGroup } from '../frame/spec.ts';
import { buildFilter } from './build-filter.ts';

export const passwords: CommandGroup = {
  summary: 'make a filter that keeps people from using breached passwords',
  examples: ['latchkey passwords build-filter pwnedpasswords.txt breached-passwords.filter'],
  commands: { 'build-filter': buildFilter },
};
