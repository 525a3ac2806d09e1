// The parts of `latchkey user …` about people who wait for approval.

import { approveUser, decideOnAll, declineUser } from '../../operations/users/approval.ts';
import { userJsonOfEach } from '../../operations/users/user-json.ts';
import { findUser, type NamedUser } from '../../operations/users/users.ts';
import { messageLimit } from '../../protocol/account/standing.ts';
import { requireDone } from '../command.ts';
import type { Command } from '../frame/spec.ts';
import { confirmLoss, yesOption } from '../terminal/confirm.ts';
import { defineStoreCommand } from '../with-services.ts';

const people = { people: { label: '<email|id>', many: true, completes: 'person' } } as const;

export const approvalCommands: Record<string, Command> = {
  approve: defineStoreCommand({
    summary: 'approve people who are waiting, so that they can sign in',
    details: `They're notified by email. "latchkey user list --pending" lists those who wait. If any of them is unknown or isn't
waiting, nothing changes.`,
    arguments: people,
    examples: ['latchkey user approve ada@example.com bob@example.com'],
    async run({ services, args, requester }) {
      const approve = (user: { readonly id: string }) => approveUser(services, user, requester);
      const { users } = requireDone(await decideOnAll(services, args.people, approve));
      const sentences = users.map(({ email }) => `Approved ${email}. They can sign in now.`);
      return { json: users.map(await userJsonOfEach(services)), text: sentences.join('\n') };
    },
  }),
  decline: defineStoreCommand({
    summary: 'decline people who wait for approval, and delete their accounts',
    details: `Without --message, they aren't notified. If any of them is unknown or isn't waiting, nothing changes.`,
    arguments: people,
    options: {
      message: {
        value: 'TEXT',
        about: `what to tell them by email, as plain text of at most ${messageLimit} characters`,
      },
      ...yesOption,
    },
    examples: [
      'latchkey user decline eve@example.com',
      'latchkey user decline eve@example.com --message "Please use your work email address."',
    ],
    async run({ services, values: { message = '', yes }, args, requester }) {
      let declined: readonly NamedUser[] = args.people;
      await confirmLoss(yes, async () => {
        const { users } = requireDone(await decideOnAll(services, args.people, (user) => findUser(services, user)));
        declined = users.map(({ id }) => ({ id }));
        const emails = new Intl.ListFormat('en').format(users.map(({ email }) => email));
        return { what: `the ${users.length === 1 ? 'account' : 'accounts'} of ${emails}`, with: [] };
      });
      const decline = (user: { readonly id: string }) => declineUser(services, user, message, requester);
      const { users } = requireDone(await decideOnAll(services, declined, decline));
      const sentences = users.map(({ email }) => `Declined ${email}, and deleted the account.`);
      return { json: users.map(await userJsonOfEach(services)), text: sentences.join('\n') };
    },
  }),
};
