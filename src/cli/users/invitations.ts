// Links for people who don't have an account yet: the parts of `latchkey user …` about invitations, and `latchkey setup-link`.

import { linkLifetimes } from '../../operations/email-links/links.ts';
import { invitesToRole } from '../../operations/users/given-roles.ts';
import {
  inviteUser,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from '../../operations/users/invitations.ts';
import { makeSetUpLink } from '../../operations/users/set-up-link.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import {
  newInvitationFields,
  pendingInvitationFields,
  type SentInvitation,
  sentInvitationFields,
} from '../../protocol/resources/invitation.ts';
import { jsonOf } from '../../protocol/resources/resource.ts';
import { requireDone } from '../command.ts';
import type { Said } from '../frame/define.ts';
import { fieldOptions, givenByOptions } from '../frame/field-options.ts';
import { limitOption, readList } from '../frame/lists.ts';
import type { Command } from '../frame/spec.ts';
import { summaries } from '../summaries.ts';
import { briefTime, howLong } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';
import { roleOption, rolesExplained, rolesIn } from './role-option.ts';

export const setupLink = defineStoreCommand({
  summary: summaries['setup-link'],
  createsStore: true,
  details: `The link works once, and only while there is no administrator. Anyone who has the link can use it. "serve" prints one
when it starts with an empty store.`,
  examples: ['latchkey setup-link'],
  async run({ services, requester }) {
    const { url, expiresAt } = requireDone(await makeSetUpLink(services, requester));
    return { json: { url, expires_at: isoTime(expiresAt) }, text: setUpSentence(url) };
  },
});

export function setUpSentence(url: string): string {
  const life = howLong(linkLifetimes.set_up);
  return `Open this link to create the first administrator. It works once and expires in ${life}:\n\n  ${url}`;
}

export const invitationCommands: Record<string, Command> = {
  invite: defineStoreCommand({
    summary: "email an invitation, or print its link if email isn't set up",
    details: rolesExplained,
    createsStore: true,
    options: { ...fieldOptions(newInvitationFields, 'create'), ...roleOption },
    examples: [
      'latchkey user invite --email grace@example.com --name "Grace Hopper"',
      'latchkey user invite --email intern@example.com --group Staff --expires 2027-01-31',
      'latchkey user invite --email helpdesk@example.com --role people',
    ],
    async run({ services, values, requester }) {
      const input = { ...givenByOptions(newInvitationFields, 'create', values), roles: rolesIn(values.role) };
      const invitation = requireDone(await inviteUser(services, input, requester));
      return report('Sent an invitation', invitation, input.admin === true || (input.roles ?? []).length > 0);
    },
  }),
  invitations: defineStoreCommand({
    summary: "list the invitations that haven't been accepted yet",
    options: limitOption,
    examples: ['latchkey user invitations'],
    async run({ services, values }) {
      const { items: pending, rest } = await readList(values, (request) => listInvitations(services, request));
      const rows = pending.map((invitation) => {
        const { email, name, inviter = 'command line', expiresAt, groups, roles, accountExpiresAt } = invitation;
        const access = roles.join(', ');
        return [email, name, inviter, briefTime(expiresAt), groups.join(', '), access, briefTime(accountExpiresAt)];
      });
      const titles = ['EMAIL', 'NAME', 'INVITED BY', 'EXPIRES', 'GROUPS', 'ROLES', 'ACCESS ENDS'];
      const table = [titles, ...rows];
      return {
        json: pending.map((each) => jsonOf(pendingInvitationFields, each)),
        list: table,
        none: 'No pending invitations.',
        rest,
      };
    },
  }),
  'resend-invitation': defineStoreCommand({
    summary: 'send a new link; the earlier one stops working',
    arguments: { email: { label: '<email>' } },
    examples: ['latchkey user resend-invitation grace@example.com'],
    async run({ services, args, requester }) {
      const gaveRole = await invitesToRole(services, args.email);
      const invitation = requireDone(await resendInvitation(services, args.email, requester));
      return report('Sent a new invitation', invitation, gaveRole);
    },
  }),
  'withdraw-invitation': defineStoreCommand({
    summary: 'withdraw an invitation; its link stops working',
    arguments: { email: { label: '<email>' } },
    examples: ['latchkey user withdraw-invitation grace@example.com'],
    async run({ services, args, requester }) {
      const { email } = requireDone(await withdrawInvitation(services, args.email, requester));
      return { json: { email }, text: `Withdrew the invitation for ${email}.` };
    },
  }),
};

function report(sent: string, invitation: SentInvitation, gaveRole: boolean): Said {
  const { email, url, roles } = invitation;
  const withoutRole = gaveRole && roles.length === 0 ? '\n\nA link that you share gives no admin access.' : '';
  const once = `works once and expires in ${howLong(linkLifetimes.invite)}`;
  return {
    json: { ...jsonOf(sentInvitationFields, invitation), mailed: url === undefined },
    text:
      url === undefined
        ? `${sent} to ${email}. Its link ${once}.`
        : `Email isn't set up, so share this link with ${email}. It ${once}:\n\n  ${url}${withoutRole}`,
  };
}
