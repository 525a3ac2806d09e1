// `latchkey sign-up-link …`: links with which people create an account themselves.

import {
  createSignUpLink,
  listSignUpLinks,
  revokeSignUpLink,
  signUpLinkJson,
} from '../../operations/users/sign-up-links.ts';
import { newSignUpLinkFields } from '../../protocol/resources/sign-up-link.ts';
import { requireDone } from '../command.ts';
import { fieldOptions, givenByOptions } from '../frame/field-options.ts';
import type { CommandGroup } from '../frame/spec.ts';
import { summaries } from '../summaries.ts';
import { styled } from '../terminal/output.ts';
import { briefTime, shownTime } from '../terminal/times.ts';
import { defineStoreCommand, everyPage } from '../with-services.ts';

export const signUpLink: CommandGroup = {
  summary: summaries['sign-up-link'],
  details: `With a sign-up link, people create an account themselves, each with their own email address. It works unless the setting
sign_up is closed, and their accounts need no approval.`,
  examples: ['latchkey sign-up-link create --uses 20 --group Workshop', 'latchkey sign-up-link list'],
  commands: {
    create: defineStoreCommand({
      summary: 'create a link and print it once',
      createsStore: true,
      options: fieldOptions(newSignUpLinkFields, 'create'),
      examples: [
        'latchkey sign-up-link create',
        'latchkey sign-up-link create --uses 20 --days 14 --group Workshop --note "Spring workshop"',
      ],
      async run({ services, values, requester }) {
        const input = givenByOptions(newSignUpLinkFields, 'create', values);
        const { link, url } = requireDone(await createSignUpLink(services, input, requester));
        const people = link.uses === 1 ? 'One person' : `${link.uses} people`;
        const isClosed = (await services.settings.read()).sign_up === 'closed';
        return {
          json: { ...signUpLinkJson(link), url },
          text: [
            `${people} can create an account with this link until ${shownTime(link.expiresAt)}:`,
            `  id   ${link.id}\n  url  ${url}`,
            ...(isClosed ? ["Sign-up is closed, so the link doesn't work until you change the setting sign_up."] : []),
            "Copy the link now. You won't be able to see it again.",
          ].join('\n\n'),
        };
      },
    }),
    list: defineStoreCommand({
      summary: 'list links, and those that ended in the last 30 days',
      examples: ['latchkey sign-up-link list'],
      async run({ services }) {
        const links = await everyPage((cursor) => listSignUpLinks(services, { cursor }));
        const rows = links.map((link) => [
          link.id,
          link.end === undefined ? styled('green', 'active') : styled('dim', link.end.replace('_', ' ')),
          `${link.used}/${link.uses}`,
          briefTime(link.expiresAt),
          link.maker ?? 'command line',
          link.groups.join(', '),
          link.note,
        ]);
        const titles = ['ID', 'STATUS', 'USED', 'EXPIRES', 'CREATED BY', 'GROUPS', 'NOTE'];
        const none = 'No sign-up links. Create one with "latchkey sign-up-link create".';
        return { json: links.map(signUpLinkJson), table: [titles, ...rows], none };
      },
    }),
    revoke: defineStoreCommand({
      summary: 'revoke a link; accounts created with it stay',
      arguments: { id: { label: '<id>', completes: 'sign-up-link' } },
      examples: ['latchkey sign-up-link revoke 6vhp3ewcjxhvrg8cvwbfwnwr7h'],
      async run({ services, args, requester }) {
        const { id } = requireDone(await revokeSignUpLink(services, args.id, requester));
        return { json: { id, revoked: true }, text: `Revoked sign-up link ${id}. It no longer works.` };
      },
    }),
  },
};
