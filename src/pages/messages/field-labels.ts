// What the console calls the fields of resources, in forms and in what events say has changed. Part of console.ts.

import type { newApiKeyFields } from '../../protocol/resources/api-key.ts';
import type { clientFields } from '../../protocol/resources/client.ts';
import type { webhookFields } from '../../protocol/resources/webhook.ts';

export interface FieldLabel {
  readonly label: string;
  readonly hint?: string;
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
  permission: { label: 'Permissions', options: { read: 'Read', write: 'Read and write' } },
  days: { label: 'Expires after (days)', hint: 'Leave empty for a key that never expires.' },
} satisfies LabelsFor<typeof newApiKeyFields>;

/** By name and by property: events have names of both kinds. */
export function labelsByName(labels: Readonly<Record<string, FieldLabel>>): Record<string, string> {
  const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(labels).flatMap(([name, { label }]) => [
      [name, label],
      [camelCase(name), label],
    ]),
  );
}
