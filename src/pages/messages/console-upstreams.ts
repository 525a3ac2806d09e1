// What administrators read about identity providers. Part of the console's catalogue in console.ts.

import { upstreamLabels } from './field-labels.ts';

const people = (count: number) => (count === 1 ? '1 person' : `${count.toLocaleString('en')} people`);

export const upstreamMessages = {
  lead: 'Let people sign in with an account they already have at Google, Microsoft, GitHub or your own company.',
  none: 'No identity providers yet.',
  noneText: 'Add one, and its button appears on the sign-in page.',
  new: 'Add identity provider',
  create: 'Add identity provider',
  column: { provider: 'Identity provider', issuer: 'Issuer', newAccounts: 'New accounts', people: 'People' },
  newAccounts: { yes: 'Created', no: 'Not created' },
  guide: 'Step-by-step guides',

  provider: 'Identity provider',
  kindNames: { oidc: 'OpenID Connect', github: 'GitHub' },
  fields: upstreamLabels,
  /** Where the form of one that exists says something else. */
  changedFields: {
    client_secret: {
      ...upstreamLabels.client_secret,
      label: 'New client secret (optional)',
      hint: 'Leave it empty to keep the current one.',
    },
  },
  nameHint: (prefix: string, suffix: string) =>
    `Lowercase letters, digits and hyphens. It's part of the callback URL, ${prefix}NAME${suffix}, and can't be changed later.`,
  credentials: 'Credentials',
  credentialsLead:
    'Register Latchkey as an application at the identity provider, then copy the client ID and secret it issues.',
  whoCanSignIn: 'People',
  twoFactors: 'Two-step verification',
  twoFactorsLead:
    'Signing in with an identity provider counts as one factor, unless it confirms one of these values. Only list values that it sends after checking two factors.',
  advanced: 'Advanced',

  linked: 'Linked people',
  linkedPeople: people,
  callback: 'Callback URL',
  callbackLead: 'Register this redirect URI at the identity provider. It must match exactly.',
  settings: 'Settings',
  changedMeanwhile:
    'Someone else changed this identity provider in the meantime. Check its current settings and try again.',

  icon: 'Icon',
  iconLead: 'Shown on the button, beside the label.',
  iconHint: 'PNG, JPEG or WebP, up to 512 KB. Square images look best.',
  upload: 'Upload icon',
  removeIcon: 'Remove icon',
  noIcon: 'Choose an image first.',
  iconTooLarge: 'The image is larger than 512 KB.',

  endpoints: 'Endpoints',
  endpointsLead:
    "Found when you added the identity provider. If they change, you'll be asked before Latchkey uses the new ones.",
  /** By their names in the API. */
  endpoint: {
    authorization_endpoint: 'Authorization',
    token_endpoint: 'Token',
    userinfo_endpoint: 'Userinfo',
    jwks_uri: 'Keys',
    algorithms: 'Signature algorithms',
    authentication: 'Client authentication',
    names_issuer: 'Issuer in responses',
    user_endpoint: 'Profile',
    emails_endpoint: 'Email addresses',
  } as Readonly<Record<string, string>>,
  yes: 'Yes',
  no: 'No',
  notThere: 'None',
  lookUp: 'Check for changes',
  lookUpTitle: 'Check endpoints',
  sameEndpoints: 'Nothing has changed. The identity provider announces the endpoints that are in use.',
  changedEndpoints:
    'The identity provider announces other endpoints than those in use. Secrets and sign-ins go there, so only accept them if you expected this.',
  change: { before: 'In use', after: 'Announced now' },
  accept: 'Use new endpoints',
  back: 'Back',

  stopped: "This identity provider is disabled. Its button isn't shown, and nobody can sign in with it.",
  enable: 'Enable identity provider',
  disable: 'Disable identity provider',
  disableHint: 'Nobody can sign in with it until you enable it again. Linked identities are kept.',
  disableTitle: (label: string) => `Disable ${label}?`,
  disableText: (withoutOtherWay: number) =>
    withoutOtherWay === 0
      ? 'People who use it can still sign in another way. Their sessions stay.'
      : `${people(withoutOtherWay)} can't sign in another way. They can get a password by email. Sessions stay.`,
  delete: 'Delete identity provider',
  deleteHint: "Permanently deletes the identity provider and every identity linked to it. This can't be undone.",
  deleteTitle: (label: string) => `Delete ${label}?`,
  deleteText: ({ all, withoutOtherWay }: { readonly all: number; readonly withoutOtherWay: number }) => {
    if (all === 0) return "Nobody has linked an identity there. This can't be undone.";
    const lost = `${people(all)} ${all === 1 ? 'loses' : 'lose'} the identity linked to it.`;
    const stuck =
      withoutOtherWay === 0
        ? 'All of them can sign in another way.'
        : `${people(withoutOtherWay)} ${withoutOtherWay === 1 ? 'has' : 'have'} no other way to sign in and will need a password by email.`;
    return `${lost} ${stuck} This can't be undone.`;
  },

  /** On a person's page. */
  identities: 'Linked identities',
  noIdentities: 'Not linked to an identity provider.',
  identity: { provider: 'Identity provider', email: 'Account there', linked: 'Linked', used: 'Last used' },
  deletedProvider: 'Deleted identity provider',
  unlink: 'Unlink',
  unlinkTitle: (label: string, name: string) => `Unlink ${label} from ${name}?`,
  unlinkText:
    "They're signed out everywhere and can no longer sign in with this identity. If they have no other way in, they can get a password by email.",

  notices: {
    'provider-added': 'Identity provider added. Register its callback URL there.',
    'provider-saved': 'Identity provider updated.',
    'provider-icon': 'Icon updated.',
    'provider-refreshed': 'New endpoints are in use.',
    'provider-enabled': 'Identity provider enabled.',
    'provider-disabled': 'Identity provider disabled.',
    'provider-deleted': 'Identity provider deleted.',
    'identity-unlinked': 'Identity unlinked. The person is signed out everywhere.',
  },
};
