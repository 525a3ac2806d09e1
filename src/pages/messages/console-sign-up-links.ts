// What administrators read about links with which people sign up. Part of the console's catalogue in console.ts.

import { signUpLinkLabels } from './field-labels.ts';

export const signUpLinkMessages = {
  title: 'Sign-up links',
  lead: 'With a sign-up link, people create an account themselves. It works unless sign-up is closed for everyone, and the accounts need no approval.',
  closed: 'Sign-up is closed, so these links don’t work.',
  openSettings: 'Change who can sign up',
  fields: signUpLinkLabels,
  create: 'Create sign-up link',
  none: 'No sign-up links yet.',
  newTitle: 'Share this sign-up link',
  newLead: (uses: number, until: string) =>
    `${uses === 1 ? 'One person' : `${uses.toLocaleString('en')} people`} can create an account with it until ${until}. You won't be able to see it again.`,
  link: 'Sign-up link',
  done: 'Continue',
  used: 'Used',
  usedOf: (used: number, uses: number) => `${used.toLocaleString('en')} of ${uses.toLocaleString('en')}`,
  usedBriefly: (used: number, uses: number) => `used ${used.toLocaleString('en')} of ${uses.toLocaleString('en')}`,
  withoutNote: 'No note',
  ends: { revoked: 'Revoked', expired: 'Expired', used_up: 'Used up' },
  revokeTitle: 'Revoke this sign-up link?',
  revokeText: 'Nobody can create an account with it anymore. Accounts that were created with it stay.',
  revokeConfirm: 'Revoke sign-up link',
  notices: { 'sign-up-link-revoked': 'Sign-up link revoked.' },
};
