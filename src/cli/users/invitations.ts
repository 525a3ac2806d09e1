// The parts of `latchkey user …` that are about invitations.

import { linkLifetimes } from '../../operations/mail/links.ts';
import {
  type Invitation,
  inviteUser,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from '../../operations/users/invitations.ts';
import { invitationJson, pendingInvitationJson } from '../../operations/users/user-json.ts';
import { commandRequester, howLong, requireDone } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import type { Command } from '../frame/spec.ts';
import { everyPage } from '../search.ts';
import { print, printJson } from '../terminal/output.ts';
import { printTable } from '../terminal/table.ts';
import { briefTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';

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
    report('Sent an invitation', requireDone(await inviteUser(services, input, commandRequester())), values.json);
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
    if (values.json) return printJson(pending.map(pendingInvitationJson));
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
    const invitation = requireDone(await resendInvitation(services, args.email, commandRequester()));
    report('Sent a new invitation', invitation, values.json);
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

function report(sent: string, invitation: Invitation, asJson: boolean): void {
  const { email, url } = invitation;
  const once = `works once and expires in ${howLong(linkLifetimes.invite)}`;
  if (asJson) printJson({ ...invitationJson(invitation), mailed: url === undefined });
  else if (url === undefined) print(`${sent} to ${email}. Its link ${once}.`);
  else print(`Email isn't set up, so share this link with ${email}. It ${once}:\n\n  ${url}`);
}

export const invitationCommands = {
  invite,
  invitations,
  'resend-invitation': resendInvitationCommand,
  'withdraw-invitation': withdrawInvitationCommand,
} satisfies Record<string, Command>;
