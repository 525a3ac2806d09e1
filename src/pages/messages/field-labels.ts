// What the console calls the fields of resources, in forms and in what events say has changed. Part of console.ts.

import type { newApiKeyFields } from '../../protocol/resources/api-key.ts';
import type { attributeFields } from '../../protocol/resources/attribute.ts';
import type { clientFields } from '../../protocol/resources/client.ts';
import type { newScimTokenFields } from '../../protocol/resources/scim-token.ts';
import type { SettingName } from '../../protocol/resources/settings.ts';
import type { newSignUpLinkFields } from '../../protocol/resources/sign-up-link.ts';
import type { upstreamFields } from '../../protocol/resources/upstream.ts';
import type { userFields } from '../../protocol/resources/user.ts';
import type { webhookFields } from '../../protocol/resources/webhook.ts';

export interface FieldLabel {
  readonly label: string;
  readonly hint?: string;
  /** What each value of a choice is called. */
  readonly options?: Readonly<Record<string, string>>;
  /** What to know about a value of a choice, shown while it's chosen. */
  readonly chosen?: Readonly<Record<string, string>>;
  /** What events call it, if not the same. */
  readonly event?: string;
  /** The part of a form that it's in, where a form has several. */
  readonly card?: string;
}

type LabelsFor<Fields> = { readonly [Name in keyof Fields]?: FieldLabel };

export const clientLabels = {
  name: { label: 'Name', hint: 'Shown to people when they sign in.' },
  redirect_uris: { label: 'Redirect URIs', hint: 'One per line. Must match exactly.' },
  post_logout_redirect_uris: {
    label: 'Post-logout redirect URIs',
    hint: 'Optional. Where the application can send people after they sign out. One per line.',
  },
  backchannel_logout_uri: {
    label: 'Back-channel logout URI',
    hint: 'Optional. Gets a logout token when a session ends. Only for applications with a secret.',
  },
  scopes: {
    label: 'Allowed scopes',
    options: {
      openid: 'Identity (openid)',
      profile: 'Profile (profile)',
      email: 'Email address (email)',
    },
  },
  access: {
    label: 'Access',
    options: { everyone: 'Everyone with an account', listed: 'Only people and groups that you choose' },
    chosen: { listed: 'Nobody can sign in until you’ve added them, on the application’s Access tab.' },
  },
  public: {
    label: 'Type',
    options: {
      confidential: 'Confidential: runs on a server and can keep a secret.',
      public: 'Public: runs in a browser or on a device, protected by PKCE.',
    },
  },
  second_factor: {
    label: 'Two-step verification',
    options: {
      optional: 'Optional, unless your settings require it',
      required: 'Required for everyone who signs in',
    },
  },
  upstream: {
    label: 'Sign in with',
    hint: 'People of this application are sent to this identity provider, without seeing a password field.',
    options: { '': 'The default of your settings' },
  },
  client_uri: { label: 'Home page', hint: "The application's name links here." },
  launch_url: { label: 'Launch URL', hint: 'Opened from “Your apps”. Leave it empty to use the home page.' },
  policy_uri: { label: 'Privacy policy', hint: 'Shown on the consent page.' },
  tos_uri: { label: 'Terms of service', hint: 'Shown on the consent page.' },
  contact_email: {
    label: 'Developer’s email address',
    hint: 'Shown on pages that tell people to contact the app’s developer.',
  },
  claims: { label: 'Claims' },
} satisfies LabelsFor<typeof clientFields>;

export const userLabels = {
  name: { label: 'Name' },
  given_name: { label: 'First name (optional)', event: 'First name' },
  family_name: { label: 'Last name (optional)', event: 'Last name' },
  email: { label: 'Email address' },
  email_verified: { label: 'This email address is verified' },
  expires_at: { label: 'Access ends' },
} satisfies LabelsFor<typeof userFields>;

export const settingLabels = {
  second_factor: {
    label: 'Who needs it',
    event: 'Two-step verification',
    hint: 'People who haven’t set it up are asked to at their next sign-in or page view. Applications can also require it.',
    options: {
      optional: "Optional: it's up to each person",
      administrators: 'Required for everyone with a role',
      everyone: 'Required for everyone',
    },
  },
  session_hours: {
    label: 'Sign out after (hours)',
    event: 'Session length (hours)',
    hint: "For people who don't choose “Keep me signed in”.",
  },
  kept_session_days: {
    label: 'Keep signed in for (days)',
    event: '“Keep me signed in” length (days)',
    hint: 'For people who choose “Keep me signed in”.',
  },
  kept_session_idle_days: {
    label: 'Sign out when inactive for (days)',
    event: '“Keep me signed in” idle limit (days)',
    hint: 'For people who choose “Keep me signed in”.',
  },
  default_upstream: {
    label: 'Default identity provider',
    hint: 'People are sent to this identity provider without seeing a password field. At /sign-in?password, administrators can still sign in with a password.',
    options: { '': 'None: people choose how to sign in' },
  },
  email_codes: {
    label: 'Codes by email',
    hint: 'People can ask for a code by email instead of typing a password. It counts as one factor.',
    options: {
      off: 'Off',
      without_second_factor: 'For people without two-step verification',
      everyone: 'For everyone; people with two-step verification are asked for it next',
    },
  },
  passwords: {
    label: 'Passwords',
    hint: 'People who still have one are asked to create a passkey when they sign in.',
    options: {
      allowed: 'Allowed',
      not_for_administrators: 'Not for people with a role',
      off: 'Off: passkeys, identity providers or codes by email',
    },
  },
  passwords_until: {
    label: 'Existing passwords work until',
    event: 'Existing passwords work until',
    hint: 'A date such as 2027-01-31, or nothing for no end.',
  },
  sign_up: {
    label: 'Who can sign up',
    hint: 'Everything but “Nobody” needs a mail server.',
    options: {
      closed: 'Nobody: administrators create accounts and invite people',
      links: 'People with a sign-up link',
      domains: 'People with an email address in one of these domains',
      approval: 'Anyone, once an administrator has approved them',
      open: 'Anyone',
    },
  },
  sign_up_domains: { label: 'Domains for sign-up', hint: 'One per line. A subdomain is another domain.' },
  default_groups: {
    label: 'Groups for new accounts',
    hint: 'People who create their own account join these groups.',
  },
  scim_user_name: {
    label: 'SCIM user name',
    hint: 'What directories send as userName.',
    options: { email: 'The email address', username: 'The username' },
  },
  scim_verified_domains: {
    label: 'SCIM email domains',
    hint: 'One per line. Directories can only use email addresses in these domains, which count as verified. Without any, they can use all, and none is verified.',
  },
  disable_inactive_after_days: {
    label: 'Disable accounts after (days)',
    event: 'Disable unused accounts after (days)',
    hint: '30 to 730 days without signing in or using an application. Leave it empty to disable nobody. People with a role, people waiting for approval and people from a directory are never disabled.',
  },
  inactive_notice_days: {
    label: 'Notify before (days)',
    event: 'Notice before disabling unused accounts (days)',
    hint: 'People get an email this many days before, 1 to 60. Signing in or using an application keeps the account.',
  },
  review_keep_days: {
    label: 'Keep closed reviews (days)',
    hint: '30 to 3,650 days. Then a closed review of access is deleted.',
  },
  first_steps: {
    label: 'Setup checklist',
    hint: 'On the overview, until everything on it is done.',
    options: { shown: 'Show it', hidden: 'Hide it' },
  },
  service_name: {
    label: 'Service name',
    hint: 'Appears on every page, in emails, and next to passkeys and authenticator codes.',
  },
  accent: {
    label: 'Accent color',
    hint: 'For buttons and links. Pick a color or enter its code, such as #2457c5. If it would be hard to read, a lighter or darker shade is used. Leave it blank for the default.',
    options: { picker: 'Pick an accent color' },
  },
  support_url: { label: 'Support link', hint: 'Where people get help: an https: URL or a mailto: link.' },
  terms_url: { label: 'Terms of service link', hint: 'An https: URL.' },
  privacy_url: { label: 'Privacy policy link', hint: 'An https: URL.' },
  sign_in_message: {
    label: 'Sign-in message',
    hint: 'One sentence on the sign-in page, such as who can sign in here.',
  },
  logo: {
    label: 'Logo',
    hint: 'Replaces the name on pages, 32 pixels high, and appears in emails. PNG, JPEG or WebP, up to 512 KB.',
  },
  logo_dark: { label: 'Logo for dark mode', hint: 'Without one, the logo is used in both modes.' },
  favicon: { label: 'Favicon', hint: 'Shown in the browser tab. Square, at least 64 × 64 pixels.' },
} satisfies Record<SettingName, FieldLabel>;
/** The parts of the form of an identity provider. */
export type UpstreamCard = 'provider' | 'credentials' | 'people' | 'factors' | 'advanced';

export const upstreamLabels = {
  kind: {
    card: 'provider',
    label: 'Type',
    options: { oidc: 'OpenID Connect (Google, Microsoft, Okta, Keycloak and others)', github: 'GitHub' },
  },
  issuer: {
    card: 'provider',
    label: 'Issuer URL',
    hint: "Such as https://accounts.google.com. Leave it empty for GitHub. It can't be changed later.",
  },
  name: { card: 'provider', label: 'Name' },
  label: {
    card: 'provider',
    label: 'Label',
    hint: 'Shown on the button, after “Continue with”.',
  },
  client_id: { card: 'credentials', label: 'Client ID' },
  client_secret: { card: 'credentials', label: 'Client secret', hint: "It's stored encrypted and never shown again." },
  trusted_domains: {
    card: 'people',
    label: 'Trusted email domains (optional)',
    hint: 'One per line. Domains for which you trust that the identity provider has verified email addresses. Use * for all domains only if it verifies every email address itself.',
    event: 'Trusted domains',
  },
  allowed_domains: {
    card: 'people',
    label: 'Allowed email domains (optional)',
    hint: 'One per line. If there are any, only people with a verified email address in one of them can sign in. Each must also be trusted.',
    event: 'Allowed domains',
  },
  creates_accounts: {
    card: 'people',
    label: 'Create an account for people who sign in for the first time',
    event: 'New accounts',
  },
  skip_approval: {
    card: 'people',
    label: 'New accounts skip approval',
    hint: 'Matters only while sign-up needs approval.',
    event: 'Approval of new accounts',
  },
  routes_domains: {
    card: 'people',
    label: 'Send people with an email address in a trusted domain straight to this identity provider',
    event: 'Routing by email domain',
  },
  trusted_amr: {
    card: 'factors',
    label: 'Trusted amr values (optional)',
    hint: 'Such as mfa. Separate values with spaces.',
    event: 'Trusted amr values',
  },
  trusted_acr: {
    card: 'factors',
    label: 'Trusted acr values (optional)',
    hint: 'Separate values with spaces.',
    event: 'Trusted acr values',
  },
  scopes: {
    card: 'advanced',
    label: 'Scopes (optional)',
    hint: 'Separate values with spaces. Leave it empty for the usual ones.',
  },
  algorithm: {
    card: 'advanced',
    label: 'Signature algorithm of ID tokens',
    hint: 'HS256 is for identity providers that sign with the client secret, such as another Latchkey.',
    options: { '': 'As announced (published keys)' },
    event: 'Signature algorithm',
  },
  icon: { label: 'Icon' },
} satisfies { readonly [Name in keyof typeof upstreamFields]?: FieldLabel & { readonly card?: UpstreamCard } };

export const webhookLabels = {
  url: { label: 'URL', hint: "Where messages are sent. Redirects aren't followed." },
  description: { label: 'Description', hint: "Optional. What you'll use it for." },
  types: {
    label: 'Events',
    options: { all: 'All events, including types added later', chosen: 'Only the types selected below' },
  },
} satisfies LabelsFor<typeof webhookFields>;

export const apiKeyLabels = {
  name: { label: 'Name', hint: "What you'll use it for." },
  permission: {
    label: 'Permissions',
    options: {
      read: 'Read',
      write: 'Read and write',
      administrator: 'Read and write, including administrators',
      roles: 'Limited to roles',
    },
    hint: 'Only “including administrators” can give or remove admin access, or change people who have it.',
  },
  roles: {
    label: 'Roles',
    options: { people: 'People', applications: 'Applications', auditor: 'Auditor' },
  },
  days: { label: 'Expires after (days)', hint: 'Leave empty for a key that never expires.' },
} satisfies LabelsFor<typeof newApiKeyFields>;

export const scimTokenLabels = {
  source: {
    label: 'Source',
    hint: 'A short name for the directory, such as entra. What it creates belongs to this source, also with another token.',
  },
  name: { label: 'Name', hint: 'A label, such as Production.' },
  adopt: {
    label: 'Take over existing people whose verified email address is in “SCIM email domains”',
    event: 'Takes over people',
  },
  upstream: {
    label: 'Identity provider',
    hint: 'Where people of the source sign in. Their first sign-in there is linked by the claim below.',
    options: { '': 'None' },
  },
  subject_claim: {
    label: 'Claim that equals externalId',
    options: { sub: 'sub: most directories', oid: 'oid: Microsoft Entra ID' },
  },
  days: { label: 'Expires after (days)', hint: 'Leave empty for a token that never expires.' },
} satisfies LabelsFor<typeof newScimTokenFields>;

export const signUpLinkLabels = {
  uses: { label: 'How many people can use it' },
  groups: { label: 'Groups', hint: 'New accounts join them, besides the default groups.' },
  note: { label: 'Note', hint: 'What you need it for. Only administrators see it.' },
  days: { label: 'Expires after (days)' },
} satisfies LabelsFor<typeof newSignUpLinkFields>;

export const attributeLabels = {
  name: {
    label: 'Name',
    hint: "Such as cost_center: what files, the API and claims call it. It can't be changed later.",
  },
  label: { label: 'Label', hint: 'What people see.' },
  kind: {
    label: 'Kind',
    hint: "It can't be changed later.",
    options: { text: 'Text', number: 'Number', boolean: 'Yes or no', list: 'List of texts' },
  },
  editable_by: {
    label: 'Who can edit it',
    options: { administrator: 'Only administrators', person: 'Administrators, and people on their own profile' },
  },
  values: {
    label: 'Allowed values (optional)',
    hint: 'For texts and lists. One per line. Leave it empty to allow any.',
    event: 'Allowed values',
  },
} satisfies LabelsFor<typeof attributeFields>;

/** By name and by property: events have names of both kinds. */
export function labelsByName(labels: Readonly<Record<string, FieldLabel>>): Record<string, string> {
  const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(labels).flatMap(([name, { label, event = label }]) => [
      [name, event],
      [camelCase(name), event],
    ]),
  );
}
