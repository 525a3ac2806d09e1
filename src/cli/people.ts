// The parts of `latchkey user …` that are about invitations, and about correcting somebody's name or email address.

import { editPerson } from '../operations/admin/people/edit-person.ts';
import { listInvitations, resendInvitation, withdrawInvitation } from '../operations/admin/people/invitations.ts';
import { userJson } from '../operations/admin/resource-json.ts';
import { linkLifetimes } from '../operations/mail/links.ts';
import { isoTime } from '../protocol/iso-time.ts';
import {
  commandOrigin,
  howLong,
  print,
  printJson,
  printTable,
  readArguments,
  requireDone,
  UsageError,
} from './command.ts';
import { everyPage } from './search.ts';
import type { Subcommand } from './with-services.ts';

const json = { json: { type: 'boolean' } } as const;

export const peopleUsage = `  update <email|id> [--name NAME] [--given-name NAME] [--family-name NAME] [--email EMAIL]
                             notifies the person by email; a new email address starts out unverified
  verify-email <email|id>    marks the person's email address as verified
  invitations                lists the invitations that haven't been accepted yet
  resend-invitation <email>  sends a new link; the earlier one stops working
  withdraw-invitation <email>`;

export const peopleSubcommands: Record<string, Subcommand> = {
  async update(services, args) {
    const options = {
      ...json,
      name: { type: 'string' },
      'given-name': { type: 'string' },
      'family-name': { type: 'string' },
      email: { type: 'string' },
    } as const;
    const { values, positionals } = readArguments(args, options, ['<email|id>']);
    const { name, email } = values;
    const edit = { name, email, givenName: values['given-name'], familyName: values['family-name'] };
    if (Object.values(edit).every((value) => value === undefined)) throw new UsageError('nothing to change');
    const { user } = requireDone(await editPerson(services, positionals[0] ?? '', edit, commandOrigin()));
    if (values.json) return printJson(userJson(user));
    print(`Updated ${user.name} <${user.email}>.`);
  },

  async invitations(services, args) {
    const { values } = readArguments(args, json, []);
    const pending = await everyPage((cursor) => listInvitations(services, { cursor }));
    if (values.json) {
      return printJson(
        pending.map(({ email, name, inviter, invitedAt, expiresAt }) => ({
          ...{ email, name, invited_by: inviter ?? null },
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
      isoTime(expiresAt) ?? '',
    ]);
    printTable([['EMAIL', 'NAME', 'INVITED BY', 'EXPIRES'], ...rows]);
  },

  async 'resend-invitation'(services, args) {
    const { values, positionals } = readArguments(args, json, ['<email>']);
    const outcome = await resendInvitation(services, positionals[0] ?? '', commandOrigin());
    const { email, url, expiresAt } = requireDone(outcome);
    if (values.json) {
      return printJson({ email, mailed: url === undefined, url: url ?? null, expires_at: isoTime(expiresAt) });
    }
    const life = howLong(linkLifetimes.invite);
    if (url === undefined)
      return print(`Sent a new invitation to ${email}. Its link works once and expires in ${life}.`);
    print(`Email isn't set up, so share this link with ${email}. It works once and expires in ${life}:\n\n  ${url}`);
  },

  async 'withdraw-invitation'(services, args) {
    const { values, positionals } = readArguments(args, json, ['<email>']);
    const { email } = requireDone(await withdrawInvitation(services, positionals[0] ?? '', commandOrigin()));
    if (values.json) return printJson({ email });
    print(`Withdrew the invitation for ${email}.`);
  },
};
