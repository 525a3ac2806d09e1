// An example of each message's data, for the documentation and the OpenAPI document.

import type { WebhookData, WebhookType } from './types.ts';

const sub = '7q2m9rk4c1tbx8v5n3ywa6hdje';
const client_id = 'shop';
const grant_id = '4kx81znw0d7hqv3m5ybtj2ge9a';
const webhook_id = '9d3wn7r1vq5xk8c2m4hbzj6tye';
const attribute = 'department';
const upstream = 'google';
const by = { kind: 'administrator', id: '2hv6c8jw4n9rk1txm5q7ybz3da' } as const;
const ip_address = '203.0.113.24';

export const webhookExamples: { readonly [Type in WebhookType]: WebhookData[Type] } = {
  'sign_in.succeeded': { sub, client_id, method: 'password_and_passkey', ip_address },
  'sign_in.refused': { sub, client_id: null, reason: 'wrong_password', ip_address },
  'authorization.refused': { sub, client_id, reason: 'no_access', ip_address },
  'token.refused': { sub, client_id, grant_type: 'authorization_code', reasons: ['replayed', 'ended'], ip_address },
  'client_authentication.refused': { client_id, reason: 'wrong_secret', ip_address },

  'user.created': { sub, by },
  'users.imported': { source: 'keycloak', count: 500, by },
  'user.updated': { sub, changed: ['name', 'email'], by },
  'user.password_breached': { sub, by: null },
  'user.disabled': { sub, by },
  'user.expired': { sub, by: null },
  'user.enabled': { sub, by },
  'user.approved': { sub, by },
  'user.deleted': { sub, by: null },

  'client.created': { client_id, by },
  'client.updated': { client_id, changed: ['redirect_uris'], by },
  'client.revoked': { client_id, by },
  'client.restored': { client_id, by },
  'client.deleted': { client_id, by },

  'consent.given': { sub, client_id, scopes: ['openid', 'profile', 'email'] },
  'consent.denied': { sub, client_id },
  'consent.withdrawn': { sub, client_id },

  'grant.ended': { grant_id, sub, client_id, reason: 'person' },

  'client_secret.rotated': { client_id, by },
  'client_secret.retired': { client_id, by },
  'api_key.created': {
    key_id: '5tn8x2w7kq1vr4c9mhybj3z6de',
    name: 'Nightly report',
    permission: 'read',
    roles: [],
    by,
  },
  'api_key.revoked': { key_id: '5tn8x2w7kq1vr4c9mhybj3z6de', by },
  'scim_token.created': { token_id: '2r7mc4xq9tn1w6vkbyhj5z3d8e', source: 'entra', name: 'Production', by },
  'scim_token.revoked': { token_id: '2r7mc4xq9tn1w6vkbyhj5z3d8e', by },
  'sign_up_link.created': { link_id: '8c2vq7m4xk9tn1w6rbyhj5z3de', uses: 20, by },
  'sign_up_link.revoked': { link_id: '8c2vq7m4xk9tn1w6rbyhj5z3de', by },
  'service_keys.retired': { keys: 1, by: null },

  'settings.changed': { changed: ['second_factor', 'session_hours'], by },
  'access.allowed': { client_id, sub: null, group: 'Sales', by },
  'access.disallowed': { client_id, sub, group: null, by },
  'access.expired': { client_id, sub, group: null, by: null },
  'group.created': { group: 'Sales', by },
  'group.deleted': { group: 'Sales', by },
  'group.protection_changed': { group: 'Sales', protected: true, by },
  'group.renamed': { group: 'Sales', before: 'Selling', by },
  'group.member_added': { group: 'Sales', sub, by },
  'group.member_removed': { group: 'Sales', sub, by: { kind: 'api_key', id: '5tn8x2w7kq1vr4c9mhybj3z6de' } },

  'attribute.created': { attribute, by },
  'attribute.updated': { attribute, changed: ['values'], by },
  'attribute.deleted': { attribute, by },

  'webhook.created': { webhook_id, by },
  'webhook.updated': { webhook_id, changed: ['url', 'types'], by },
  'webhook.enabled': { webhook_id, by },
  'webhook.disabled': { webhook_id, reason: 'gone', by: null },
  'webhook.secret_rotated': { webhook_id, by },
  'webhook.secret_retired': { webhook_id, by },
  'webhook.deleted': { webhook_id, by },
  'webhook.test': { webhook_id, by },

  'upstream.created': { upstream, by },
  'upstream.updated': { upstream, changed: ['allowed_domains'], by },
  'upstream.refreshed': { upstream, changed: ['token_endpoint'], by },
  'upstream.enabled': { upstream, by },
  'upstream.disabled': { upstream, by },
  'upstream.deleted': { upstream, by },
  'identity.linked': { sub, upstream, by: null },
  'identity.unlinked': { sub, upstream, by },
};
