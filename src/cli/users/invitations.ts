// Links for people who don't have an account yet: the parts of `latchkey user …` about invitations, and `latchkey setup-link`.

import { invitations, sentJson } from '../../operations/users/invitation-subject.ts';
import { makeSetUpLink } from '../../operations/users/set-up-link.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { requireDone } from '../command.ts';
import { subjectCommands } from '../frame/subject-commands.ts';
import { summaries } from '../summaries.ts';
import { defineStoreCommand } from '../with-services.ts';
import { roleOption, rolesIn } from './role-option.ts';
import { setUpSentence } from './set-up-sentence.ts';

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

export const { commands: invitationCommands } = subjectCommands(invitations, {
  options: roleOption,
  givenBy: ({ role }) => ({ roles: rolesIn(role as readonly string[] | undefined) }),
  report: (_services, invitation) => ({ json: sentJson(invitation) }),
});
