// Links to sign up with, as administrators manage them.

import { text } from '../../protocol/resources/field.ts';
import { newSignUpLinkFields, signUpLinkFields } from '../../protocol/resources/sign-up-link.ts';
import { makerInWords } from '../admin/makers.ts';
import { defineSubject, onceText } from '../admin/subject.ts';
import { createSignUpLink, findShownLink, listSignUpLinks, revokeSignUpLink } from './sign-up-links.ts';

export const signUpLinks = defineSubject({
  one: 'sign-up link',
  many: 'sign-up links',
  area: 'sign_up',
  api: '/api/sign-up-links',
  console: '/admin/people/sign-up-links',
  tag: 'people',
  command: 'sign-up-link',
  async completes(storage) {
    const { items } = await storage.pageSignUpLinks({ after: undefined, limit: 200 });
    return items.filter(({ revokedAt }) => revokedAt === null).map(({ id, note }) => [id, note]);
  },
  about: `With a sign-up link, people create an account themselves, each with their own email address. It works unless the setting
sign_up is closed, and their accounts need no approval.`,
  fields: signUpLinkFields,
  shown: ({ link, url }) => ({ ...link, url }),
  list: {
    about: ', newest first, and those that ended in the last 30 days',
    read: { page: listSignUpLinks, find: findShownLink },
    columns: {
      ID: 'id',
      STATUS: ({ end = 'active' }) => end.replace('_', ' '),
      USED: ({ used, uses }) => `${used}/${uses}`,
      EXPIRES: 'expires_at',
      'CREATED BY': ({ maker }) => makerInWords(maker),
      GROUPS: 'groups',
      NOTE: 'note',
    },
  },
  create: {
    does: 'create a sign-up link, which works unless sign_up is closed',
    proof: true,
    fields: newSignUpLinkFields,
    once: {
      url: text({ description: "The link to share. You won't be able to see it again.", settable: 'never' }),
    },
    run: createSignUpLink,
    async says({ link: { id, uses, expiresAt }, url }, { settings }, { time }) {
      const people = uses === 1 ? 'One person' : `${uses} people`;
      const isClosed = (await settings.read()).sign_up === 'closed';
      const closed = "Sign-up is closed, so the link doesn't work until you change the setting sign_up.";
      const made = `${people} can create an account with this link until ${time(expiresAt)}:`;
      return onceText(made, { id, url }, 'link', isClosed ? closed : undefined);
    },
    examples: [
      'latchkey sign-up-link create',
      'latchkey sign-up-link create --uses 20 --days 14 --group Workshop --note "Spring workshop"',
    ],
  },
  actions: {
    revoke: {
      does: 'revoke a sign-up link; accounts that were created with it stay',
      done: 'revoked',
      deletes: true,
      proof: true,
      field: 'revoke',
      run: revokeSignUpLink,
      says: ({ key }) => `Revoked sign-up link ${key}. It no longer works.`,
    },
  },
});
