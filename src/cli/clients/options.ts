// The options of `latchkey client create` and `update`.

import { linkOptions } from './links.ts';

export const clientArgument = { clientId: { label: '<client_id>', completes: 'client' } } as const;

export const redirectUri = {
  value: 'URI',
  many: true,
  about: 'where people return after signing in; must match exactly',
} as const;

export const sharedOptions = {
  'post-logout-redirect-uri': {
    value: 'URI',
    many: true,
    about: 'where the application can send people after they sign out',
  },
  scope: { value: 'SCOPES', about: 'what it can ask for: "openid profile email" or fewer' },
  logo: { value: 'FILE', completes: 'file', about: 'a PNG, JPEG or WebP image of at most 512 KiB' },
  access: { values: ['everyone', 'listed'], about: 'who can use it: everyone, or the people and groups on its list' },
  'second-factor': {
    values: ['required', 'optional'],
    about: 'whether people need two-step verification to sign in to it',
  },
  upstream: { value: 'NAME', about: 'the provider that people are sent to for signing in; "" for none' },
  ...linkOptions,
} as const;

export const redirectRules =
  'A redirect URI uses https, http on loopback, or (with --public) a private-use scheme such as com.example.app:/callback. The ' +
  'same rules apply to a post-logout redirect URI. Links to pages use https, or http on loopback.';
