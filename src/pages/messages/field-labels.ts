// What the console calls the fields of resources, in forms and in what events say has changed. Part of console.ts.

import type { clientFields } from '../../protocol/resources/client.ts';
import type { SettingName } from '../../protocol/resources/settings.ts';
import type { userFields } from '../../protocol/resources/user.ts';

export interface FieldLabel {
  readonly label: string;
  readonly hint?: string;
  /** What events call it, where they don't have a page around them. */
  readonly inEvents?: string;
  /** What each value of a choice is called. */
  readonly options?: Readonly<Record<string, string>>;
}

type LabelsFor<Fields> = { readonly [Name in keyof Fields]?: FieldLabel };

export const clientLabels = {
  name: { label: 'Name', hint: 'Shown to people when they sign in.' },
  redirect_uris: { label: 'Redirect URIs', hint: 'One per line. Must match exactly.' },
  post_logout_redirect_uris: {
    label: 'Post-logout redirect URIs',
    hint: 'Optional. Where the application can send people after they sign out. One per line.',
  },
  scopes: {
    label: 'Allowed scopes',
    options: {
      openid: 'Identity (openid)',
      profile: 'Profile (profile)',
      email: 'Email address (email)',
    },
  },
  access: { label: 'Access' },
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
} satisfies LabelsFor<typeof clientFields>;

export const userLabels = {
  name: { label: 'Name' },
  given_name: { label: 'First name (optional)', inEvents: 'First name' },
  family_name: { label: 'Last name (optional)', inEvents: 'Last name' },
  email: { label: 'Email address' },
  email_verified: { label: 'This email address is verified' },
} satisfies LabelsFor<typeof userFields>;

export const settingLabels = {
  second_factor: {
    label: 'Who needs it',
    inEvents: 'Two-step verification',
    hint: 'People who haven’t set it up are asked to at their next sign-in or page view. Applications can also require it.',
    options: {
      optional: "Optional: it's up to each person",
      administrators: 'Required for administrators',
      everyone: 'Required for everyone',
    },
  },
  session_hours: {
    label: 'Sign out after (hours)',
    inEvents: 'Session length (hours)',
    hint: "For people who don't choose “Keep me signed in”.",
  },
  kept_session_days: {
    label: 'Keep signed in for (days)',
    inEvents: '“Keep me signed in” length (days)',
    hint: 'For people who choose “Keep me signed in”.',
  },
  kept_session_idle_days: {
    label: 'Sign out when inactive for (days)',
    inEvents: '“Keep me signed in” idle limit (days)',
    hint: 'For people who choose “Keep me signed in”.',
  },
  default_upstream: {
    label: 'Default identity provider',
    hint: 'People are sent to this identity provider without seeing a password field. At /sign-in?password, administrators can still sign in with a password.',
    options: { '': 'None: people choose how to sign in' },
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
    hint: 'Replaces the name on pages, 32 pixels high, and appears in emails. PNG, JPEG or WebP, up to 512 KiB.',
  },
  logo_dark: { label: 'Logo for dark mode', hint: 'Without one, the logo is used in both modes.' },
  favicon: { label: 'Favicon', hint: 'Shown in the browser tab. Square, at least 64 × 64 pixels.' },
} satisfies Record<SettingName, FieldLabel>;

/** By name and by property: events have names of both kinds. */
export function labelsByName(labels: Readonly<Record<string, FieldLabel>>): Record<string, string> {
  const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(labels).flatMap(([name, { label, inEvents = label }]) => [
      [name, inEvents],
      [camelCase(name), inEvents],
    ]),
  );
}
