// The types of webhook messages, and the `data` of each. A message never contains a secret: details can be looked up with an API
// key. Fields have OAuth names, because applications read them, too.

/** Why a grant ended before it expired. */
export const grantEndReasons = [
  'person',
  'administrator',
  'client',
  'replay',
  'deletion',
  'lost_access',
  'expired',
] as const;

export type GrantEndReason = (typeof grantEndReasons)[number];

/** Who made the change; null for the person themselves, the command line and the service. */
interface Made {
  readonly by: { readonly kind: 'administrator' | 'api_key' | 'scim_token'; readonly id: string } | null;
}

interface OfUser extends Made {
  readonly sub: string;
}

interface OfClient extends Made {
  readonly client_id: string;
}

interface OfGrant {
  /** Null when every grant that the person has given the application has ended. */
  readonly grant_id: string | null;
  /** Null when the grants of everyone have ended, because the application was revoked or deleted. */
  readonly sub: string | null;
  readonly client_id: string;
}

interface OfConsent {
  readonly sub: string;
  readonly client_id: string;
}

interface OfListing extends OfClient {
  /** One of the two is given. */
  readonly sub: string | null;
  readonly group: string | null;
}

interface OfExpired extends Made {
  /** Null for a membership of a group. */
  readonly client_id: string | null;
  /** Null for a group on an application's list. */
  readonly sub: string | null;
  /** Null for a person on an application's list. */
  readonly group: string | null;
}

interface OfGroup extends Made {
  readonly group: string;
}

interface OfAttribute extends Made {
  readonly attribute: string;
}

interface OfWebhook extends Made {
  readonly webhook_id: string;
}

interface OfUpstream extends Made {
  readonly upstream: string;
}

interface OfSignUpLink extends Made {
  readonly link_id: string;
}

interface Changes {
  /** The names of what was changed; the values can be read from the API. */
  readonly changed: readonly string[];
}

/** An attempt of a person, an application or both. */
interface Attempt {
  readonly sub: string | null;
  readonly client_id: string | null;
  readonly ip_address: string;
}

interface Reasoned {
  readonly reason: string;
}

export interface WebhookData {
  'sign_in.succeeded': Attempt & { readonly sub: string; readonly method: string };
  'sign_in.refused': Attempt & Reasoned;
  'authorization.refused': Attempt & Reasoned;
  'token.refused': Attempt & {
    readonly grant_type: 'authorization_code' | 'refresh_token';
    readonly reasons: readonly string[];
  };
  'client_authentication.refused': Omit<Attempt, 'sub'> & Reasoned;

  'user.created': OfUser;
  'users.imported': Made & { readonly source: string; readonly count: number };
  'user.updated': OfUser & Changes;
  'user.password_breached': OfUser;
  'user.disabled': OfUser;
  'user.expired': OfUser;
  'user.enabled': OfUser;
  'user.approved': OfUser;
  'user.deleted': OfUser;

  'client.created': OfClient;
  'client.updated': OfClient & Changes;
  'client.revoked': OfClient;
  'client.restored': OfClient;
  'client.deleted': OfClient;

  'consent.given': OfConsent & { readonly scopes: readonly string[] };
  'consent.denied': OfConsent;
  'consent.withdrawn': OfConsent;

  'grant.ended': OfGrant & { readonly reason: GrantEndReason };

  'client_secret.rotated': OfClient;
  'client_secret.retired': OfClient;
  'api_key.created': Made & {
    readonly key_id: string;
    readonly name: string;
    readonly permission: string;
    readonly roles: readonly string[];
  };
  'api_key.revoked': Made & { readonly key_id: string };
  'scim_token.created': Made & { readonly token_id: string; readonly source: string; readonly name: string };
  'scim_token.revoked': Made & { readonly token_id: string };
  'sign_up_link.created': OfSignUpLink & { readonly uses: number };
  'sign_up_link.revoked': OfSignUpLink;
  'service_keys.retired': Made & { readonly keys: number };

  'settings.changed': Made & Changes;
  'access.allowed': OfListing;
  'access.disallowed': OfListing;
  'access.expired': OfExpired;
  'group.created': OfGroup;
  'group.deleted': OfGroup;
  'group.protection_changed': OfGroup & { readonly protected: boolean };
  'group.renamed': OfGroup & { readonly before: string };
  'group.member_added': OfGroup & OfUser;
  'group.member_removed': OfGroup & OfUser;

  'attribute.created': OfAttribute;
  'attribute.updated': OfAttribute & Changes;
  'attribute.deleted': OfAttribute;

  'webhook.created': OfWebhook;
  'webhook.updated': OfWebhook & Changes;
  'webhook.enabled': OfWebhook;
  'webhook.disabled': OfWebhook & Reasoned;
  'webhook.secret_rotated': OfWebhook;
  'webhook.secret_retired': OfWebhook;
  'webhook.deleted': OfWebhook;
  'webhook.test': OfWebhook;

  'upstream.created': OfUpstream;
  'upstream.updated': OfUpstream & Changes;
  'upstream.refreshed': OfUpstream & Changes;
  'upstream.enabled': OfUpstream;
  'upstream.disabled': OfUpstream;
  'upstream.deleted': OfUpstream;
  'identity.linked': OfUpstream & OfUser;
  'identity.unlinked': OfUpstream & OfUser;
}

export type WebhookType = keyof WebhookData;

/** A type and the data that belongs to it. */
export type WebhookMessage = {
  readonly [Type in WebhookType]: { readonly type: Type; readonly data: WebhookData[Type] };
}[WebhookType];

/** The meaning of each type, in the order of documentation and forms. */
export const webhookTypeMeanings: Readonly<Record<WebhookType, string>> = {
  'sign_in.succeeded': 'Someone signed in.',
  'sign_in.refused': 'A sign-in, or a confirmation of identity, was refused.',
  'authorization.refused': "An application's request was refused, or the person can't use the application.",
  'token.refused': 'A code or a refresh token was refused.',
  'client_authentication.refused': 'An application failed to authenticate itself.',

  'user.created':
    'An account was created by an administrator, by sign-up or by invitation. It may wait for approval (`pending_since` in the API).',
  'users.imported': 'A batch of people was imported from another service. No user.created is sent for them.',
  'user.updated':
    "A person's profile, attributes, email address, password, second factors, admin access or end of access changed.",
  'user.password_breached': 'Someone signed in with a password that was exposed in a data breach.',
  'user.disabled': 'An account was disabled. Its grants have ended.',
  'user.expired': 'A person’s access ended on its date. Their grants have ended.',
  'user.enabled': 'An account was enabled again.',
  'user.approved': 'An account that was waiting for approval was approved.',
  'user.deleted': "An account was deleted, by its owner or an administrator, or wasn't approved.",

  'client.created': 'An application was registered.',
  'client.updated': "An application's settings changed.",
  'client.revoked': 'An application was revoked. Its grants have ended.',
  'client.restored': 'An application was restored.',
  'client.deleted': 'An application was deleted.',

  'consent.given': 'Someone gave an application access on the consent page.',
  'consent.denied': 'Someone chose Cancel on the consent page.',
  'consent.withdrawn': 'Someone removed an application from their account.',

  'grant.ended': "Someone's access through an application ended before it expired.",

  'client_secret.rotated': 'An application got a new secret.',
  'client_secret.retired': "An application's previous secret stopped working.",
  'api_key.created': 'An API key was created.',
  'api_key.revoked': 'An API key was revoked.',
  'scim_token.created': 'An administrator created a SCIM token.',
  'scim_token.revoked': 'A SCIM token was revoked.',
  'sign_up_link.created': 'An administrator created a sign-up link.',
  'sign_up_link.revoked': 'A sign-up link was revoked, or its creator lost admin access.',
  'service_keys.retired': 'Old service keys were retired.',

  'settings.changed': 'Settings or branding of the service changed.',
  'access.allowed': "A person or group was added to an application's access list.",
  'access.disallowed': "A person or group was removed from an application's access list.",
  'access.expired': "A membership of a group, or an entry on an application's access list, ended on its date.",
  'group.created': 'A group was created.',
  'group.deleted': 'A group was deleted.',
  'group.protection_changed': 'A group was protected, so that only administrators can change it, or opened again.',
  'group.renamed': 'A group was renamed.',
  'group.member_added': 'Someone was added to a group.',
  'group.member_removed': 'Someone was removed from a group.',

  'attribute.created': 'An attribute of people was defined.',
  'attribute.updated': "An attribute's label, allowed values or who can edit it changed.",
  'attribute.deleted': 'An attribute was deleted, together with everyone’s values.',

  'webhook.created': 'An endpoint was created.',
  'webhook.updated': "An endpoint's URL, description or event types changed.",
  'webhook.enabled': 'An endpoint was enabled again.',
  'webhook.disabled': 'An endpoint was disabled, by an administrator or because it returned 410.',
  'webhook.secret_rotated': 'An endpoint got a new secret.',
  'webhook.secret_retired': "An endpoint's previous secret stopped working.",
  'webhook.deleted': 'An endpoint was deleted.',
  'webhook.test': 'An administrator sent a test message.',

  'upstream.created': 'An identity provider was added.',
  'upstream.updated': "An identity provider's settings changed.",
  'upstream.refreshed': "An administrator accepted changes to an identity provider's endpoints.",
  'upstream.enabled': 'An identity provider was enabled again.',
  'upstream.disabled': "An identity provider was disabled. People can't sign in with it.",
  'upstream.deleted': 'An identity provider was deleted, together with the identities linked to it.',
  'identity.linked': 'An account was linked to an identity at an identity provider.',
  'identity.unlinked': 'An account was unlinked from an identity at an identity provider.',
};

export const webhookTypes: readonly WebhookType[] = Object.keys(webhookTypeMeanings).filter(isWebhookType);

/** Event types that an endpoint can subscribe to. A test message is sent to any endpoint. */
export const selectableTypes: readonly WebhookType[] = webhookTypes.filter((type) => type !== 'webhook.test');

/** Event types that an application's endpoint can subscribe to, for its own grants. */
export const clientTypes: readonly WebhookType[] = ['grant.ended'];

export function isWebhookType(name: string): name is WebhookType {
  return Object.hasOwn(webhookTypeMeanings, name);
}

/** Whether an endpoint is the service's, and not that of a client, which may have been deleted. */
export function isOfService(endpoint: { readonly clientId?: unknown; readonly clientDeletedAt?: unknown }): boolean {
  return (endpoint.clientId ?? endpoint.clientDeletedAt ?? null) === null;
}
