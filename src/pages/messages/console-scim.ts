// What administrators read about directories and their tokens. Part of console.ts.

import { scimTokenLabels } from './field-labels.ts';

export const scimMessages = {
  lead: 'A directory such as Microsoft Entra ID or Okta creates people and groups here, keeps them up to date and removes them, with a SCIM token.',
  guide: 'Read the setup guide',
  none: 'No SCIM tokens yet.',
  fields: scimTokenLabels,
  baseUrl: 'SCIM base URL',
  baseUrlHint: 'Entra ID calls it the tenant URL. Paste it there together with a token.',
  create: 'Create SCIM token',
  tokenTitle: 'Copy your SCIM token',
  tokenLead: "You won't be able to see it again. Paste it into the directory together with the base URL.",
  token: 'SCIM token',
  done: "I've saved my SCIM token",
  adopts: 'Takes over people',
  signIn: 'Sign-in',
  signInClaim: (upstream: string, claim: string) => `${upstream} (${claim})`,
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeText: (source: string) =>
    `The directory can't change anything with it any more. People and groups of ${source} stay as they are. This can't be undone.`,
  revokeConfirm: 'Revoke SCIM token',
};

/** Of people and groups that belong to a directory. */
export const managedMessages = {
  managedBy: 'Managed by',
  badge: (source: string) => `Managed by ${source}`,
  person: 'Names and the email address are changed in that directory.',
  personWithRole: "It can't change people with a role.",
  edit: (source: string) => `Names and the email address are managed by ${source}. Change them in that directory.`,
  disable: (source: string) => `Their directory (${source}) can enable them, too.`,
  enable: (source: string) => `Their directory (${source}) can disable them again.`,
  delete: (source: string) => `If they're still in their directory (${source}), it can create them again.`,
  group: (source: string) =>
    `The name and members of this group are managed by ${source}. Change them in that directory.`,
  deleteGroup: (source: string) => `If it's still in its directory (${source}), that can create it again.`,
};
