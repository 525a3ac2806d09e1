// The tables of identity providers and of imported people, as schema.ts lists the others.

import type { ImageType } from '../../protocol/reading/image.ts';
import { bytes, integer, nullable, table, text } from '../table.ts';

export const upstreams = table('upstreams', 'up', ['name'], {
  name: text(),
  kind: text<'oidc' | 'github'>(),
  issuer: text(),
  client_id: text(),
  sealed_secret: text(),
  scopes: text(),
  label: text(),
  allowed_domains: text(),
  trusted_domains: text(),
  routes_domains: integer(),
  creates_accounts: integer(),
  trusted_amr: text(),
  trusted_acr: text(),
  metadata: text(),
  icon_version: nullable(text()),
  created_at: integer(),
  updated_at: integer(),
  disabled_at: nullable(integer()),
});

export const upstreamIcons = table('upstream_icons', 'i', ['upstream'], {
  upstream: text(),
  version: text(),
  content_type: text<ImageType>(),
  bytes: bytes(),
});

export const identities = table('identities', 'id', ['issuer', 'subject'], {
  issuer: text(),
  subject: text(),
  user_id: text(),
  email: nullable(text()),
  linked_at: integer(),
  last_used_at: nullable(integer()),
});

export const importedPeople = table('imported_people', 'ip', ['source', 'old_id'], {
  source: text(),
  old_id: text(),
  user_id: text(),
  imported_at: integer(),
});
