// The schemas of identity providers.

import { Type } from 'typebox';
import { asymmetricAlgorithms, symmetricAlgorithm } from '../../../protocol/upstreams/metadata.ts';
import { Count, component, nullable, Text, Time } from '../schemas.ts';

export const Name = Type.String({ pattern: '^[a-z0-9-]{1,40}$', description: 'a-z 0-9 -, at most 40.' });

const list = (description: string) => Type.Array(Text, { maxItems: 50, description });

/** What can be changed later. The secret is only ever sent, never shown. */
export const settings = {
  client_id: Type.String({ description: 'The client ID that the provider gave you.' }),
  label: Type.String({ description: 'What the button calls the provider.' }),
  scopes: list('What the provider is asked for.'),
  creates_accounts: Type.Boolean({ description: "Whether people who aren't known yet get an account." }),
  trusted_domains: list(
    "The domains for which the provider's word counts that an email address is verified; * for all of them.",
  ),
  allowed_domains: list(
    'Only people with a verified email address in one of them, which has to be trusted, too, get in; none means everyone.',
  ),
  routes_domains: Type.Boolean({ description: 'Whether people of the trusted domains are sent straight there.' }),
  trusted_amr: list('The values of amr that mean that the provider has checked two factors.'),
  trusted_acr: list('The values of acr that mean the same.'),
  algorithm: nullable(
    Type.Enum([...asymmetricAlgorithms, symmetricAlgorithm], {
      description:
        'The only signature algorithm that is accepted; null for those with published keys that the provider announces.',
    }),
  ),
};

export const secret = {
  client_secret: Type.String({ description: 'Stored sealed, and never shown.' }),
};

const endpoints = Type.Record(Text, Type.Union([Text, Type.Boolean(), Type.Null(), Type.Array(Text)]), {
  description: 'Where the provider was, and how it signed, when an administrator last looked.',
});

const upstream = {
  name: Text,
  kind: Type.Enum(['oidc', 'github']),
  issuer: Text,
  ...settings,
  // A response may have one of a later version.
  algorithm: nullable(Text),
  icon: Type.Boolean(),
  callback_url: Type.String({ description: 'The redirect URI to register at the provider.' }),
  endpoints,
  disabled_at: nullable(Time),
  created_at: Time,
  updated_at: Time,
};

export const Upstream = component('Upstream', upstream);

export const UpstreamDetails = component('UpstreamDetails', {
  ...upstream,
  people: Type.Object({
    linked: Count,
    without_other_way: Type.Integer({ minimum: 0, description: 'How many of them have no other way to sign in.' }),
  }),
});

const value = Type.Union([Text, Type.Boolean(), Type.Null(), Type.Array(Text)]);

export const EndpointChanges = component('EndpointChanges', {
  version: Type.String({ description: 'Identifies what the provider announces; send it to accept just that.' }),
  changes: Type.Array(Type.Object({ name: Text, before: value, after: value }), {
    description: 'None when the provider announces what is in use.',
  }),
});

export const Identity = component('Identity', {
  upstream: nullable(Type.String({ description: 'The name of the provider; null once it is deleted.' })),
  issuer: Text,
  subject: Text,
  email: nullable(Type.String({ description: 'The email address that the provider gave last. It decides nothing.' })),
  linked_at: Time,
  last_used_at: nullable(Time),
});
