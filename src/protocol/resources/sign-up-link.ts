// The fields of a link to sign up with.

import { cleanName, nameProblem } from '../account/names.ts';
import { isPlainText } from '../reading/control-characters.ts';
import { grouped } from '../reading/in-sentences.ts';
import { Invalid, list, number, shown, text, time } from './field.ts';
import type { GivenOf, ValuesOf } from './resource.ts';

const mostUses = 10_000;
const mostDays = 365;
const longestNote = 200;

const groups = list({
  description: 'The groups that new accounts join, besides the default groups.',
  most: 20,
  names: 'groups',
  rule: 'the groups must be at most 20 names of groups',
  option: { name: 'group', value: 'NAME', about: 'a group that new accounts join', completes: 'group' },
  items: (given) => {
    const names = given.map(cleanName);
    const isInvalid = names.length > 20 || names.some((name) => nameProblem(name) !== undefined);
    return isInvalid ? new Invalid('the groups must be at most 20 names of groups') : names;
  },
});

const described = {
  uses: number({
    description: 'How many accounts can be created with it.',
    least: 1,
    most: mostUses,
    initial: 1,
    rule: `a sign-up link can be used 1 to ${grouped(mostUses)} times`,
    option: { value: 'N', about: 'how many accounts can be created with it; default: 1' },
  }),
  groups,
  note: text({
    description: 'What you need it for. Only administrators see it.',
    initial: '',
    longest: longestNote,
    documentsLimit: true,
    option: { value: 'TEXT', about: 'what you need it for' },
    clean: cleanName,
    subject: 'the note',
    problem: (note) =>
      [...note].length <= longestNote && isPlainText(note)
        ? undefined
        : `must be one line of plain text, at most ${longestNote} characters`,
  }),
};

/** What an administrator says about a new link. */
export const newSignUpLinkFields = {
  ...described,
  days: number({
    description: 'How many days it works.',
    least: 1,
    most: mostDays,
    initial: 7,
    settable: 'create',
    rule: `a sign-up link can be valid for 1 to ${mostDays} days`,
    option: { value: 'N', about: 'days until it expires; default: 7' },
  }),
};

/** The link itself is shown once. */
export const signUpLinkFields = {
  id: shown<string>({ kind: 'text', description: '' }),
  uses: described.uses,
  used: shown<number>({ kind: 'number', description: 'How many accounts were created with it.' }),
  groups,
  note: described.note,
  expires_at: time(),
  revoked_at: time({ nullable: true }),
  created_at: time(),
};

export type SignUpLinkValues = ValuesOf<typeof signUpLinkFields>;
export type SignUpLinkInput = GivenOf<typeof newSignUpLinkFields>;
