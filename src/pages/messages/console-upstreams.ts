// What administrators read about identity providers. Part of the console's catalogue in console.ts.

import type { Total } from '../../protocol/admin/totals.ts';
import { peopleIn } from './counts.ts';
import { upstreamLabels } from './field-labels.ts';

export const upstreamMessages = {
  lead: 'Let people sign in with an account they already have at Google, Microsoft, GitHub or your own company.',
  none: 'No identity providers yet.',
  noneText: 'Add one, and its button appears on the sign-in page.',
  new: 'Add identity provider',
  create: 'Add identity provider',
  newTitle: (name: string) => `Add ${name}`,
  chooseLead: 'Choose what people sign in with. Everything known about it is filled in.',
  otherProvider: 'Other',
  presetNames: {
    google: 'Google',
    microsoft: 'Microsoft',
    github: 'GitHub',
    okta: 'Okta',
    keycloak: 'Keycloak',
    latchkey: 'another Latchkey',
    other: 'identity provider',
  },
  presetHints: {
    google: 'Gmail and Google Workspace',
    microsoft: 'Microsoft Entra ID',
    github: 'Personal GitHub accounts',
    okta: 'Your Okta organization',
    keycloak: 'A realm of your Keycloak',
    latchkey: 'Another Latchkey',
    other: 'Anything that speaks OpenID Connect',
  },
  issuerHints: {
    google: "It can't be changed later.",
    microsoft: "Replace TENANT_ID with the directory (tenant) ID. It can't be changed later.",
    github: "It can't be changed later.",
    okta: "Replace YOUR_ORGANIZATION with the name in your Okta URL. It can't be changed later.",
    keycloak: "Replace YOUR_SERVER and YOUR_REALM. It can't be changed later.",
    latchkey: "Replace YOUR_SERVER with the host of the other Latchkey. It can't be changed later.",
    other: "Such as https://id.example.com. It can't be changed later.",
  },
  placeholderLeft: (placeholder: string) => `Replace ${placeholder} in the issuer URL with your own.`,
  register: 'Register Latchkey there',
  keptSecret: 'The client secret you entered is kept for 15 minutes. Enter it again only to change it.',
  secretExpired: 'Enter the client secret again.',
  domainsMissing: 'Enter at least one domain.',
  who: {
    label: 'Who can sign in',
    choices: {
      linked: 'Only people who have linked it',
      domains: 'People of these email domains',
      anyone: 'Anyone with an account there',
      custom: 'Custom',
    },
    linkedHint: 'People sign in another way first, then link it under Security in their account.',
    domains: 'Email domains',
    domainsHint:
      'One per line. List only domains whose mailboxes the identity provider controls. New people get an account when they first sign in.',
    anyoneHint:
      'New people get an account when they first sign in. Choose this only if the identity provider verifies every email address itself.',
  },
  nobody:
    "Nobody can sign in with this identity provider yet: it doesn't create accounts, and nobody has linked it. Change who can sign in, or ask people to link it under Security in their account.",
  try: 'Try it',
  tryAgain: 'Try again',
  tryTitle: 'Try it',
  tryLead: 'Sign in there once and see what arrives. Nobody is signed in here, and nothing is created or linked.',
  tried: {
    title: (label: string) => `Try ${label}`,
    outcome: 'What would happen',
    outcomeLead: 'You signed in there. Nothing was created or linked here, and you are still signed in as before.',
    linked: (name: string) => `This identity is linked to ${name}.`,
    provisioned: (name: string) =>
      `A directory says that this identity belongs to ${name}. It would be linked to them.`,
    standing: {
      active: 'They would be signed in.',
      waiting: "Their account waits for approval, so they couldn't sign in.",
      disabled: "Their account is disabled, so they couldn't sign in.",
      expired: "Their access has ended, so they couldn't sign in.",
    },
    newcomer: (email: string) => `An account with the email address ${email} would be created.`,
    newcomerWaits: (email: string) =>
      `An account with the email address ${email} would be created, and would wait for approval.`,
    linkNeeded: (email: string) =>
      `There is already an account with the email address ${email}. They would be asked to sign in to it another way, and to link this identity there.`,
    noAccount: {
      upstream_domain_not_allowed:
        "They couldn't sign in: only people with a verified email address in an allowed domain can, and this one isn't.",
      upstream_email_not_trusted:
        "They couldn't sign in: no account is created, because the email address is missing, isn't verified there, or its domain isn't trusted.",
      upstream_unknown_identity:
        "They couldn't sign in: nobody has linked this identity, and this identity provider doesn't create accounts.",
    } as Readonly<Record<string, string>>,
    subject: 'Subject',
    email: 'Email address',
    noEmail: 'None',
    verified: 'Email verified',
    trusted: 'Yes, and trusted here',
    untrusted: "The identity provider says so, but its domain isn't trusted here",
    unverified: 'No',
    name: 'Name',
    noName: 'None',
    factors: 'Counts as',
    one: 'One factor',
    two: 'Two factors',
    from: { id_token: 'Claims of the ID token', userinfo: 'Claims from userinfo', api: 'From the API' },
    receivedLead: 'As they arrived. Tokens are never shown.',
    failed: "It didn't work",
    refused: "The identity provider's response couldn't be used.",
    refusals: {
      upstream_expired: 'This attempt has expired, or was started in another session or browser.',
      upstream_replayed: 'This response was used before.',
      upstream_denied: 'The sign-in was canceled at the identity provider.',
      upstream_error:
        'The identity provider answered with an error. Check the client ID, the secret and the callback URL.',
      upstream_unreachable: "The identity provider can't be reached.",
      upstream_invalid_response: "The identity provider's response is invalid.",
      throttled: 'Too many attempts. Wait a few minutes and try again.',
    } as Readonly<Record<string, string>>,
    problem: (problem: string) => `Details: ${problem}.`,
  },
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
  whoCanSignIn: 'Who can sign in',
  twoFactors: 'Two-step verification',
  twoFactorsLead:
    'Signing in with an identity provider counts as one factor, unless it confirms one of these values. Only list values that it sends after checking two factors.',
  advanced: 'Advanced',

  linked: 'Linked people',
  linkedPeople: peopleIn,
  callback: 'Callback URL',
  callbackLead:
    'Register this URL at the identity provider, which may call it the redirect URI. It must match exactly.',
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
  disableText: (withoutOtherWay: Total) =>
    withoutOtherWay.count === 0
      ? `${withoutOtherWay.more ? 'Most people' : 'People'} who use it can still sign in another way. Their sessions stay.`
      : `${peopleIn(withoutOtherWay)} can't sign in another way. They can get a password by email. Sessions stay.`,
  delete: 'Delete identity provider',
  deleteHint: "Permanently deletes the identity provider and every identity linked to it. This can't be undone.",
  deleteTitle: (label: string) => `Delete ${label}?`,
  deleteText: ({ all, withoutOtherWay }: { readonly all: Total; readonly withoutOtherWay: Total }) => {
    if (all.count === 0) return "Nobody has linked an identity there. This can't be undone.";
    const lost = `${peopleIn(all)} ${all.count === 1 ? 'loses' : 'lose'} the identity linked to it.`;
    const stuck =
      withoutOtherWay.count === 0
        ? `${withoutOtherWay.more ? 'Most' : 'All'} of them can sign in another way.`
        : `${peopleIn(withoutOtherWay)} ${withoutOtherWay.count === 1 ? 'has' : 'have'} no other way to sign in and will need a password by email.`;
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
