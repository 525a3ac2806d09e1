// `/api/attributes`: what administrators define about people. Values are members of a person.

import { Type } from 'typebox';
import {
  attributeJson,
  changeAttribute,
  createAttribute,
  deleteAttribute,
  findAttribute,
  listAttributes,
} from '../../../operations/attributes/attributes.ts';
import { attributeFields } from '../../../protocol/resources/attribute.ts';
import { givenByName } from '../../../protocol/resources/resource.ts';
import type { Attribute as AttributeRecord } from '../../../storage/storage.ts';
import { type ApiOperation, done, nothing, operationsAt, operationsOn } from '../define-operation.ts';
import { changingBody, creatingBody, shownFields } from '../field-schemas.ts';
import { component, listOf } from '../schemas.ts';

const Attribute = component('Attribute', shownFields(attributeFields));

const subject = {
  tag: 'attributes',
  path: '/api/attributes',
  area: 'attributes',
  data: Attribute,
  json: ({ attribute }: { readonly attribute: AttributeRecord }) => attributeJson(attribute),
} as const;
const attributes = operationsAt(subject);
const onAttribute = operationsOn(
  subject,
  { name: Type.String({ pattern: '^[a-z][a-z0-9_]{0,31}$', description: 'The name of the attribute.' }) },
  ({ name }) => name,
);

const force = {
  force: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Whether claims of applications that use it change with it.' }),
  ),
};

export const attributeOperations: readonly ApiOperation[] = [
  attributes('listAttributes', 'GET', {
    summary: 'List attributes by name',
    data: listOf(Attribute),
    message: 'Attributes retrieved.',
    run: async (services) => done(await listAttributes(services)),
    json: ({ data }) => ({ items: data.map(attributeJson) }),
  }),
  attributes('createAttribute', 'POST', {
    summary: 'Define an attribute of people',
    powerful: true,
    status: 201,
    body: creatingBody(attributeFields),
    message: 'Attribute created.',
    run: (services, { body }, requester) => createAttribute(services, givenByName(attributeFields, body), requester),
  }),
  onAttribute('getAttribute', 'GET', {
    summary: 'Read an attribute',
    message: 'Attribute retrieved.',
    run: findAttribute,
  }),
  onAttribute('updateAttribute', 'PATCH', {
    summary: "Change the given members; the name and the kind can't be changed",
    powerful: true,
    query: force,
    body: changingBody(attributeFields),
    message: 'Attribute updated.',
    run: (services, name, requester, { body, query }) =>
      changeAttribute(services, name, givenByName(attributeFields, body), requester, query.force === 'true'),
  }),
  onAttribute('deleteAttribute', 'DELETE', {
    summary: "Delete an attribute and everyone's values",
    powerful: true,
    query: force,
    ...nothing,
    message: 'Attribute deleted.',
    run: (services, name, requester, { query }) => deleteAttribute(services, name, requester, query.force === 'true'),
  }),
];
