// The parts of `latchkey user …` that are about invitations, and about correcting somebody's name or email address.

import { linkLifetimes } from '../../operations/mail/links.ts';
import { editPerson } from '../../operations/users/edit-user.ts';
import {
  inviteUser,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from '../../operations/users/invitations.ts';
import { userJson } from '../../operations/users/user-json.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { commandRequester, howLong, requireDone, UsageError } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import type { Command } from '../frame/spec.ts';
import { everyPage } from '../search.ts';
import { print, printJson } from '../terminal/output.ts';
import { printTable } from '../terminal/table.ts';
import { briefTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';

const update = defineStoreCommand(
  {
    summary: "correct a person's name or email address",
    details: 'The person is notified by email. A new email address starts out unverified.',
    arguments: { person: { label: '<email|id>', completes: 'person' } },
    options: {
      name: { value: 'NAME', about: 'the full name' },
      'given-name': { value: 'NAME', about: 'the given name' },
      'family-name': { value: 'NAME', about: 'the family name' },
      email: { value: 'EMAIL', about: 'the new email address' },
      ...jsonOption,
    },
    examples: ['latchkey user update ada@example.com --name "Ada King" --family-name King'],
  },
  async (services, { values, args }) => {
    const { name, email } = values;
    const edit = { name, email, givenName: values['given-name'], familyName: values['family-name'] };
    if (Object.values(edit).every((value) => value === undefined)) throw new UsageError('nothing to change');
    const { user } = requireDone(await editPerson(services, args.person, edit, commandRequester()));
    if (values.json) return printJson(userJson(user));
    print(`Updated ${user.name} <${user.email}>.`);
  },
);

const invite = defineStoreCommand(
  {
    summary: "email an invitation, or print its link if email isn't set up",
    options: {
      email: { value: 'EMAIL', required: true, about: 'who is invited' },
      name: { value: 'NAME', about: 'the name that the account starts with' },
      ...jsonOption,
    },
    examples: ['latchkey user invite --email grace@example.com --name "Grace Hopper"'],
  },
  async (services, { values }) => {
    const input = { email: values.email, name: values.name ?? '' };
    const { email, url, expiresAt } = requireDone(await inviteUser(services, input, commandRequester()));
    if (values.json) {
      return printJson({ email, mailed: url === undefined, url: url ?? null, expires_at: isoTime(expiresAt) });
    }
    const life = howLong(linkLifetimes.invite);
    if (url === undefined) return print(`Sent an invitation to ${email}. Its link works once and expires in ${life}.`);
    print(`Email isn't set up, so share this link with ${email}. It works once and expires in ${life}:\n\n  ${url}`);
  },
);

const invitations = defineStoreCommand(
  {
    summary: "list the invitations that haven't been accepted yet",
    options: jsonOption,
    examples: ['latchkey user invitations'],
  },
  async (services, { values }) => {
    const pending = await everyPage((cursor) => listInvitations(services, { cursor }));
    if (values.json) {
      return printJson(
        pending.map(({ email, name, inviter, invitedAt, expiresAt }) => ({
          email,
          name,
          invited_by: inviter ?? null,
          invited_at: isoTime(invitedAt),
          expires_at: isoTime(expiresAt),
        })),
      );
    }
    if (pending.length === 0) return print('No pending invitations.');
    const rows = pending.map(({ email, name, inviter, expiresAt }) => [
      email,
      name,
      inviter ?? 'command line',
      briefTime(expiresAt),
    ]);
    printTable([['EMAIL', 'NAME', 'INVITED BY', 'EXPIRES'], ...rows]);
  },
);

const resendInvitationCommand = defineStoreCommand(
  {
    summary: 'send a new link; the earlier one stops working',
    arguments: { email: { label: '<email>' } },
    options: jsonOption,
    examples: ['latchkey user resend-invitation grace@example.com'],
  },
  async (services, { values, args }) => {
    const outcome = await resendInvitation(services, args.email, commandRequester());
    const { email, url, expiresAt } = requireDone(outcome);
    if (values.json) {
      return printJson({ email, mailed: url === undefined, url: url ?? null, expires_at: isoTime(expiresAt) });
    }
    const life = howLong(linkLifetimes.invite);
    if (url === undefined)
      return print(`Sent a new invitation to ${email}. Its link works once and expires in ${life}.`);
    print(`Email isn't set up, so share this link with ${email}. It works once and expires in ${life}:\n\n  ${url}`);
  },
);

const withdrawInvitationCommand = defineStoreCommand(
  {
    summary: 'withdraw an invitation; its link stops working',
    arguments: { email: { label: '<email>' } },
    options: jsonOption,
    examples: ['latchkey user withdraw-invitation grace@example.com'],
  },
  async (services, { values, args }) => {
    const { email } = requireDone(await withdrawInvitation(services, args.email, commandRequester()));
    if (values.json) return printJson({ email });
    print(`Withdrew the invitation for ${email}.`);
  },
);

export const peopleCommands = {
  invite,
  invitations,
  'resend-invitation': resendInvitationCommand,
  'withdraw-invitation': withdrawInvitationCommand,
  update,
} satisfies Record<string, Command>;
