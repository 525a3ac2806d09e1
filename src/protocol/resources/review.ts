// What an administrator says about a review, besides its applications.

import { cleanName, nameProblem } from '../account/names.ts';
import { readEnd } from '../ends.ts';
import type { Problem } from '../problem.ts';
import { text } from './field.ts';

export const reviewFields = {
  name: text({
    description: 'What the review is called.',
    longest: 100,
    documentsLimit: true,
    option: { value: 'NAME', about: 'what the review is called' },
    clean: cleanName,
    subject: 'the name',
    problem: nameProblem,
  }),
};

export function readDue(written: string, now: number): number | Problem {
  const at = readEnd(written, now);
  return typeof at === 'number' ? at : { field: 'due_at', subject: 'the due date', says: at.problem };
}
