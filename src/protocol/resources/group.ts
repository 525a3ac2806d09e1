// The fields of a group.

import { cleanName, nameProblem } from '../account/names.ts';
import { flag, shown, text, time } from './field.ts';
import type { GivenOf } from './resource.ts';

export const groupFields = {
  id: shown<string>({ kind: 'text', description: '' }),
  name: text({
    description: '',
    longest: 100,
    option: { value: 'NAME', about: 'the new name' },
    clean: cleanName,
    subject: 'the name',
    problem: nameProblem,
  }),
  protected: flag({
    description: 'Whether only administrators can change it and its members.',
    find: ({ protectedSince }) => typeof protectedSince === 'number',
  }),
  managed_by: shown<string | null>({
    kind: 'text',
    description: 'The directory that it belongs to, which decides its name and members; null for none.',
    nullable: true,
  }),
  created_at: time(),
  updated_at: time(),
};

export type GroupInput = GivenOf<typeof groupFields>;
