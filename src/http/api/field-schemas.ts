// The schemas that follow from the table of a resource: of what is shown, and of what can be sent to create or change one.

import { type TObject, type TSchema, Type } from 'typebox';
import type { Field, FieldTable } from '../../protocol/resources/field.ts';
import { isNeeded, isSettable, rowsOf, rowsThatNeedProof } from '../../protocol/resources/resource.ts';

type Properties = Record<string, TSchema>;

/**
 * What is shown of a resource. A response may have values of a later version, unless they're as few as a choice's or the
 * rules of what can be given hold for it, too.
 */
export function shownFields(fields: FieldTable, use: 'shown' | 'given' = 'shown'): Properties {
  const rows = rowsOf(fields).filter(({ field }) => field.kind !== 'secret');
  return Object.fromEntries(rows.map(({ name, field }) => [name, schemaOf(field, use)]));
}

/** The body that creates a resource. */
export function creatingBody(fields: FieldTable, more: Properties = {}) {
  const rows = settableRows(fields, 'create').map(({ name, field }) => {
    const given = schemaOf(field, 'given');
    const schema = field.documentsInitial ? { ...given, default: field.initial } : given;
    return [name, isNeeded(field) ? schema : Type.Optional(schema)] as const;
  });
  return Type.Object({ ...Object.fromEntries(rows), ...more }, { additionalProperties: false });
}

/** The body that changes what it names. */
export function changingBody(fields: FieldTable, more: Properties = {}) {
  const rows = settableRows(fields, 'change').map(({ name, field }) => {
    return [name, Type.Optional(schemaOf(field, 'given'))] as const;
  });
  return Type.Object({ ...Object.fromEntries(rows), ...more }, { additionalProperties: false, minProperties: 1 });
}

/** Whether the body that changes a resource names a field that needs fresh proof of identity. */
export function namesProtected(fields: FieldTable) {
  const rows = rowsThatNeedProof(fields, 'change');
  return (body: object) => rows.some(({ name }) => Object.hasOwn(body, name));
}

/** The body as the document describes it: items that a field checks itself have a schema there. */
export function documentedBody(body: TObject): object {
  const properties = Object.entries(body.properties).map(([name, schema]) => {
    const { documentedItems, ...shown }: TSchema & { documentedItems?: object } = schema;
    return [name, documentedItems === undefined ? schema : { ...shown, items: documentedItems }] as const;
  });
  return { ...body, properties: Object.fromEntries(properties) };
}

/** Images have an operation of their own. */
function settableRows(fields: FieldTable, when: 'create' | 'change') {
  return rowsOf(fields).filter(({ field }) => isSettable(field, when) && field.kind !== 'image');
}

function schemaOf(field: Field, use: 'shown' | 'given'): TSchema {
  const { kind, description, rule = '' } = field;
  const ruled = kind === 'text' && rule.startsWith('must ') ? `${description} M${rule.slice(1)}.` : description;
  const described = (use === 'given' && field.givenDescription) || ruled;
  const words = description === '' ? {} : { description: described };
  const schema = plainSchemaOf(field, use, words);
  // What only a new resource can have is left out if it has none.
  const isLeftOut = use === 'given' && field.settable === 'create';
  return field.nullable && field.kind !== 'image' && !isLeftOut ? Type.Union([schema, Type.Null()]) : schema;
}

function plainSchemaOf(
  { kind, values, growing, least, most, pattern, longest, documentsLimit }: Field,
  use: 'shown' | 'given',
  words: { readonly description?: string },
): TSchema {
  // An end is given as a text and shown as a time.
  switch (kind !== 'end' ? kind : use === 'given' ? 'text' : 'time') {
    case 'text':
    case 'secret':
      return Type.String({
        ...words,
        ...(use === 'given' && pattern !== undefined && { pattern: pattern.source }),
        ...(documentsLimit && longest !== undefined && { maxLength: longest }),
      });
    case 'choice':
      return Type.Enum([...(values ?? [])], words);
    case 'flag':
      return Type.Boolean(words);
    case 'image':
      return Type.Boolean({ description: 'Whether there is one.' });
    case 'time':
      return Type.String({ format: 'date-time', ...words });
    case 'number':
      return Type.Integer({
        ...words,
        ...(least !== undefined && { minimum: least }),
        ...(most !== undefined && { maximum: most }),
      });
    case 'items': {
      const items = { $ref: '#/components/schemas/ApplicationClaim' };
      return use === 'shown'
        ? Type.Array(Type.Unsafe(items), words)
        : Type.Array(Type.Unknown(), {
            ...words,
            ...(most !== undefined && { maxItems: most }),
            documentedItems: items,
          });
    }
    case 'list': {
      const isOpen = values === undefined || (growing && use === 'shown');
      const item = isOpen ? Type.String() : Type.Enum([...values]);
      const longest = most ?? values?.length;
      const limits = {
        ...(least !== undefined && { minItems: least }),
        ...(longest !== undefined && { maxItems: longest }),
      };
      return Type.Array(item, { ...words, ...(use === 'given' && limits) });
    }
  }
}
