// What directories can find out about the service: what it supports, and which attributes there are (RFC 7643, sections 5 to 7).

import type { AttributeKind } from '../account/attribute-values.ts';
import { mostResults } from './list.ts';
import { urns } from './urns.ts';
import { enterpriseMembers } from './user-change.ts';

export function serviceProviderConfig(base: string) {
  const unsupported = { supported: false };
  return {
    schemas: [urns.config],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: mostResults },
    changePassword: unsupported,
    sort: unsupported,
    etag: unsupported,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'SCIM token',
        description: 'A token of the directory, in the Authorization header.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

const descriptions = { user: 'A person.', group: 'A group of people.' } as const;

export function resourceTypes(base: string) {
  const type = (id: string, description: string, endpoint: string, schema: string, extensions: readonly string[]) => ({
    schemas: [urns.resourceType],
    id,
    name: id,
    description,
    endpoint,
    schema,
    ...(extensions.length > 0 && {
      schemaExtensions: extensions.map((urn) => ({ schema: urn, required: false })),
    }),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` },
  });
  return [
    type('User', descriptions.user, '/Users', urns.user, [urns.enterprise, urns.own]),
    type('Group', descriptions.group, '/Groups', urns.group, []),
  ];
}

interface DefinedAttribute {
  readonly name: string;
  readonly label: string;
  readonly kind: AttributeKind;
}

export function schemas(base: string, attributes: readonly DefinedAttribute[]) {
  const schema = (id: string, name: string, description: string, list: readonly object[]) => ({
    schemas: [urns.schema],
    id,
    name,
    description,
    attributes: list,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  });
  const types = { text: 'string', list: 'string', number: 'decimal', boolean: 'boolean' } as const;
  const own = attributes.map(({ name, label, kind }) =>
    attribute(name, { type: types[kind], multiValued: kind === 'list', description: label }),
  );
  const defined = Object.entries(enterpriseMembers).filter(([, own]) => attributes.some(({ name }) => name === own));
  const enterprise = defined.map(([name]) => (name === 'manager' ? manager : attribute(name)));
  return [
    schema(urns.user, 'User', descriptions.user, userAttributes),
    schema(urns.group, 'Group', descriptions.group, groupAttributes),
    schema(urns.enterprise, 'EnterpriseUser', 'Attributes of people that are defined here.', enterprise),
    schema(urns.own, 'Attributes', 'Attributes of people, by their names here.', own),
  ];
}

interface Traits {
  readonly type?: 'string' | 'boolean' | 'decimal' | 'complex' | 'reference';
  readonly description?: string;
  readonly multiValued?: boolean;
  readonly required?: boolean;
  readonly caseExact?: boolean;
  readonly mutability?: 'readOnly' | 'readWrite' | 'immutable';
  readonly uniqueness?: 'none' | 'server';
  readonly subAttributes?: readonly object[];
}

function attribute(name: string, traits: Traits = {}) {
  return {
    name,
    type: traits.type ?? 'string',
    multiValued: traits.multiValued ?? false,
    description: traits.description ?? '',
    required: traits.required ?? false,
    caseExact: traits.caseExact ?? false,
    mutability: traits.mutability ?? 'readWrite',
    returned: 'default',
    uniqueness: traits.uniqueness ?? 'none',
    ...(traits.subAttributes && { subAttributes: traits.subAttributes }),
  };
}

const manager = attribute('manager', { type: 'complex', subAttributes: [attribute('value')] });

const userAttributes = [
  attribute('userName', { required: true, uniqueness: 'server', description: 'An email address or a username.' }),
  attribute('externalId', { caseExact: true, description: "The directory's own ID of the person." }),
  attribute('name', {
    type: 'complex',
    subAttributes: [attribute('formatted'), attribute('givenName'), attribute('familyName')],
  }),
  attribute('displayName', { description: 'The full name.' }),
  attribute('emails', {
    type: 'complex',
    multiValued: true,
    description: 'The primary one is kept.',
    subAttributes: [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })],
  }),
  attribute('active', { type: 'boolean', description: 'Whether the person can sign in.' }),
  attribute('locale', { description: 'A language tag such as en-US.' }),
  attribute('groups', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: ['value', '$ref', 'display', 'type'].map((name) =>
      attribute(name, { mutability: 'readOnly', type: name === '$ref' ? 'reference' : 'string' }),
    ),
  }),
];

const groupAttributes = [
  attribute('displayName', { required: true, uniqueness: 'server', description: 'The name of the group.' }),
  attribute('externalId', { caseExact: true, description: "The directory's own ID of the group." }),
  attribute('members', {
    type: 'complex',
    multiValued: true,
    description: 'People, by their ID.',
    subAttributes: [
      attribute('value', { mutability: 'immutable', caseExact: true }),
      attribute('$ref', { mutability: 'immutable', type: 'reference' }),
      attribute('display', { mutability: 'immutable' }),
      attribute('type', { mutability: 'immutable', description: 'User, the only one.' }),
    ],
  }),
];
