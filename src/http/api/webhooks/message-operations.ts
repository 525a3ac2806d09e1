// The schemas of webhook messages, for the OpenAPI document and the documentation.

import { type TObject, type TSchema, Type } from 'typebox';
import { type Member, type MemberName, memberMeanings } from '../../../protocol/webhooks/members.ts';
import {
  exampleOf,
  type WebhookType,
  webhookData,
  webhookTypeMeanings,
  webhookTypes,
} from '../../../protocol/webhooks/types.ts';
import { nullable } from '../schemas.ts';

const text = Type.String();
const schemas = {
  text,
  texts: Type.Array(text),
  count: Type.Integer({ minimum: 1 }),
  flag: Type.Boolean(),
  maker: Type.Object({ kind: Type.Enum(['administrator', 'api_key', 'scim_token']), id: text }),
};

function schemaOf({ is, isNullable }: Member): TSchema {
  const schema = typeof is === 'string' ? schemas[is] : Type.Enum([...is]);
  return isNullable ? nullable(schema) : schema;
}

/** A whole message, as an endpoint receives it. */
export function exampleMessage(type: WebhookType): object {
  return { type, timestamp: '2026-03-14T09:26:53.589Z', data: exampleOf(type) };
}

/** The members that the data of a type has. */
export function membersOf(type: WebhookType): readonly (readonly [MemberName, TSchema])[] {
  const members: Readonly<Partial<Record<MemberName, Member>>> = webhookData[type];
  return Object.entries(members).map(([name, member]) => [name as MemberName, schemaOf(member)]);
}

/** Messages may gain members, so other members are allowed. */
export function messageSchema(type: WebhookType): TObject {
  const data = membersOf(type).map(([name, schema]) => [name, { ...schema, description: memberMeanings[name] }]);
  return Type.Object({
    type: Type.Literal(type),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened.' }),
    data: Type.Object(Object.fromEntries(data)),
  });
}

/** The `webhooks` of the OpenAPI document. */
export function describedWebhooks(): Record<string, object> {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  });
  const parameters = [
    header('webhook-id', 'The same for every attempt to deliver this message.'),
    header('webhook-timestamp', 'When this attempt was made, in seconds since the epoch.'),
    header('webhook-signature', 'Signatures of Standard Webhooks 1.0 (`v1,…`), one for each valid secret.'),
  ];
  const responses = { '2XX': { description: 'Delivered.' }, 410: { description: 'Disables the endpoint.' } };
  return Object.fromEntries(
    webhookTypes.map((type) => {
      const content = { 'application/json': { schema: messageSchema(type), example: exampleMessage(type) } };
      const summary = webhookTypeMeanings[type];
      return [type, { post: { summary, parameters, requestBody: { required: true, content }, responses } }];
    }),
  );
}
