// The fields of an entry: of a person in a group, and of a person or a group on the list of an application.

import { end } from './field.ts';
import type { GivenOf } from './resource.ts';

export const entryFields = { expires_at: end() };

/** What an administrator says about those who are added. Left out, their entries don't end. */
export type EntryInput = GivenOf<typeof entryFields>;
