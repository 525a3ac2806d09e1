// What administrators read about identity providers. Part of the console's catalogue in console.ts.

const people = (count: number) => (count === 1 ? '1 person' : `${count.toLocaleString('en')} people`);

export const upstreamMessages = {
  lead: 'Let people sign in with an account they already have at Google, Microsoft, GitHub or your own company.',
  none: 'No identity providers yet.',
  noneText: 'Add one, and its button appears on the sign-in page.',
  new: 'Add provider',
  create: 'Add provider',
  column: { provider: 'Provider', issuer: 'Issuer', newAccounts: 'New accounts', people: 'People' },
  newAccounts: { yes: 'Created', no: 'Not created' },
  guide: 'Step-by-step guides',

  provider: 'Provider',
  kind: 'Type',
  kinds: { oidc: 'OpenID Connect (Google, Microsoft, Okta, Keycloak and others)', github: 'GitHub' },
  kindNames: { oidc: 'OpenID Connect', github: 'GitHub' },
  name: 'Name',
  nameHint: (prefix: string, suffix: string) =>
    `Lowercase letters, digits and hyphens. It's part of the callback URL, ${prefix}NAME${suffix}, and can't be changed.`,
  label: 'Label',
  labelHint: 'What people call the provider, such as Google. The button says “Continue with” and this.',
  issuer: 'Issuer URL',
  issuerHint: "Such as https://accounts.google.com. Leave it empty for GitHub. It can't be changed.",
  credentials: 'Credentials',
  credentialsLead: 'Register Latchkey as an application at the provider, and copy what it gives you.',
  clientId: 'Client ID',
  secret: 'Client secret',
  secretHint: "It's stored encrypted and never shown again.",
  newSecret: 'New client secret (optional)',
  newSecretHint: 'Leave it empty to keep the current one.',
  whoComesIn: 'People',
  createsAccounts: 'Create an account for people who sign in for the first time',
  trustedDomains: 'Trusted email domains (optional)',
  trustedDomainsHint:
    'One per line. Only for these domains does the provider’s word count that an email address is verified. * trusts it for every domain: only for a provider that verifies every address itself.',
  allowedDomains: 'Allowed email domains (optional)',
  allowedDomainsHint:
    'One per line. With any, only people with a verified email address in one of them can sign in. Each has to be trusted, too.',
  routesDomains: 'Send people with an email address in a trusted domain straight to this provider',
  twoFactors: 'Two-step verification',
  twoFactorsLead:
    'Signing in with a provider counts as one factor, unless it confirms one of these values. Only list what it sends after checking two factors.',
  trustedAmr: 'Trusted amr values (optional)',
  trustedAmrHint: 'With spaces between them, such as mfa.',
  trustedAcr: 'Trusted acr values (optional)',
  trustedAcrHint: 'With spaces between them.',
  advanced: 'Advanced',
  scopes: 'Scopes (optional)',
  scopesHint: 'With spaces between them. Leave it empty for the usual ones.',
  algorithm: 'Signature algorithm of ID tokens',
  announced: 'As announced (published keys)',
  algorithmHint: 'HS256 is for providers that sign with the client secret, such as another Latchkey.',

  facts: 'Overview',
  linked: 'Linked people',
  linkedPeople: people,
  callback: 'Callback URL',
  callbackLead: 'Register this redirect URI at the provider. It must match exactly.',
  settings: 'Settings',
  changedMeanwhile: 'Someone else changed this provider in the meantime. Check what it says now, and try again.',

  icon: 'Icon',
  iconLead: 'Shown on the button, beside the label.',
  iconHint: 'PNG, JPEG or WebP, up to 512 KB. Square images look best.',
  upload: 'Upload icon',
  removeIcon: 'Remove icon',
  noIcon: 'Choose an image first.',
  iconTooLarge: 'The image is larger than 512 KB.',

  endpoints: 'Endpoints',
  endpointsLead:
    'As they were when you last looked. If the provider announces others, nothing changes here until you accept them.',
  /** The names of what is known about a provider's endpoints. */
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
  sameEndpoints: 'Nothing has changed. The provider announces the endpoints that are in use.',
  changedEndpoints:
    'The provider announces other endpoints than those in use. Accept them if you expected this: secrets and sign-ins go there.',
  change: { before: 'In use', after: 'Announced now' },
  accept: 'Use new endpoints',
  back: 'Back',

  stopped: "This provider is disabled. Its button isn't shown, and nobody can sign in with it.",
  enable: 'Enable provider',
  disable: 'Disable provider',
  disableHint: 'Nobody can sign in with it until you enable it again. Linked identities are kept.',
  disableTitle: (label: string) => `Disable ${label}?`,
  disableText: (withoutOtherWay: number) =>
    withoutOtherWay === 0
      ? 'People who use it can still sign in another way. Their sessions stay.'
      : `${people(withoutOtherWay)} can't sign in another way. They can get a password by email. Sessions stay.`,
  delete: 'Delete provider',
  deleteHint: "Permanently deletes the provider and every identity linked to it. This can't be undone.",
  deleteTitle: (label: string) => `Delete ${label}?`,
  deleteText: ({ all, withoutOtherWay }: { readonly all: number; readonly withoutOtherWay: number }) => {
    if (all === 0) return "Nobody has linked an identity there. This can't be undone.";
    const lost = `${people(all)} ${all === 1 ? 'loses' : 'lose'} the identity linked to it.`;
    const stuck =
      withoutOtherWay === 0
        ? 'All of them can sign in another way.'
        : `${people(withoutOtherWay)} ${withoutOtherWay === 1 ? 'has' : 'have'} no other way to sign in, and will need a password by email.`;
    return `${lost} ${stuck} This can't be undone.`;
  },

  /** On a person's page. */
  identities: 'Linked identities',
  noIdentities: 'Not linked to an identity provider.',
  identity: { provider: 'Provider', email: 'Account there', linked: 'Linked', used: 'Last used' },
  deletedProvider: 'Deleted provider',
  unlink: 'Unlink',
  unlinkTitle: (label: string, name: string) => `Unlink ${label} from ${name}?`,
  unlinkText:
    "They're signed out everywhere and can't sign in with this identity any more. If they have no other way in, they can get a password by email.",

  notices: {
    'provider-added': 'Provider added. Register its callback URL at the provider.',
    'provider-saved': 'Provider updated.',
    'provider-icon': 'Icon updated.',
    'provider-refreshed': 'New endpoints are in use.',
    'provider-enabled': 'Provider enabled.',
    'provider-disabled': 'Provider disabled.',
    'provider-deleted': 'Provider deleted.',
    'identity-unlinked': 'Identity unlinked. The person is signed out everywhere.',
  },
};
