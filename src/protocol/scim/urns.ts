// The names of schemas and messages.

export const urns = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  /** The attributes that administrators have defined, by their own names. */
  own: 'urn:latchkey:params:scim:schemas:attributes:1.0:User',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  config: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
} as const;

/** What attributes can belong to. */
export type Extension = 'enterprise' | 'own';
type Owner = Extension | 'core';

const owners: readonly (readonly [urn: string, owner: Owner])[] = [
  [urns.user, 'core'],
  [urns.group, 'core'],
  [urns.enterprise, 'enterprise'],
  [urns.own, 'own'],
];

/** Whose attribute a name is, and the name without the URN in front, which can be missing. Undefined for another schema's. */
export function withoutUrn(text: string): { readonly owner: Owner; readonly name: string } | undefined {
  if (!/^urn:/i.test(text)) return { owner: 'core', name: text };
  for (const [urn, owner] of owners) {
    if (text.slice(0, urn.length).toLowerCase() !== urn.toLowerCase()) continue;
    const rest = text.slice(urn.length);
    if (rest === '' && owner !== 'core') return { owner, name: '' };
    // Some directories put a dot behind the URN.
    if (/^[:.]./.test(rest)) return { owner, name: rest.slice(1) };
  }
  return undefined;
}
