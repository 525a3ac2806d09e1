// The fields of a directory's token.

import { cleanName, nameProblem } from '../account/names.ts';
import { choice, flag, shown, text } from './field.ts';
import type { GivenOf } from './resource.ts';
import { daysOf, secretLife } from './secret-life.ts';

const sourceForm = /^[a-z0-9][a-z0-9._-]{0,39}$/;

const described = {
  source: text({
    description: 'The name of its directory, such as entra. People and groups that it creates belong to the source.',
    longest: 40,
    recorded: true,
    verbatim: true,
    option: { value: 'NAME', about: 'the name of its directory, such as entra' },
    subject: 'the source',
    problem: (source) =>
      sourceForm.test(source)
        ? undefined
        : 'must have 1 to 40 lowercase letters, digits, dots, underscores and hyphens',
  }),
  name: text({
    description: 'A label, such as Production.',
    longest: 100,
    recorded: true,
    option: { value: 'TEXT', about: 'a label, such as Production' },
    clean: cleanName,
    subject: 'the name',
    problem: nameProblem,
  }),
  adopt: flag({
    property: 'adopts',
    description: 'Whether it also finds people of scim_verified_domains who were there before, and takes them over.',
    recorded: true,
    option: { about: 'also find and take over people in scim_verified_domains who already have an account' },
  }),
  upstream: text({
    description: "The identity provider where the source's people sign in.",
    nullable: true,
    longest: 40,
    recorded: true,
    verbatim: true,
    option: { value: 'NAME', about: 'the identity provider where its people sign in', completes: 'upstream' },
  }),
  subject_claim: choice({
    description: 'The claim of the identity provider that is the externalId of a person.',
    values: ['sub', 'oid'],
    initial: 'sub',
    recorded: true,
    rule: 'the subject claim must be sub or oid',
    option: { about: 'the claim there that is the externalId of a person; default: sub' },
  }),
};

/** What an administrator says about a new token. */
export const newScimTokenFields = {
  ...described,
  days: daysOf('a SCIM token'),
};

export const scimTokenFields = {
  id: shown<string>({ kind: 'text', description: 'What it is called: the token itself is shown once.' }),
  ...described,
  ...secretLife,
  over: shown<boolean, 'ended'>({ kind: 'flag', property: 'ended', description: 'Whether it has expired.' }),
};

export type ScimTokenInput = GivenOf<typeof newScimTokenFields>;
