// What the API says of an API key that was just revoked.

import { Type } from 'typebox';
import { type CreatedByKey, createdJson, createdKinds } from '../../../operations/api-keys/created-by-key.ts';
import type { Services } from '../../../operations/services.ts';
import { component, nullable, Text, Time } from '../schemas.ts';

export const revokedApiKey = {
  data: component('RevokedApiKey', {
    id: Text,
    created: Type.Array(
      Type.Object({
        kind: Type.Enum([...createdKinds]),
        id: nullable(Text),
        name: Text,
        url: nullable(Type.String({ description: 'Its page in the console.' })),
        created_at: Time,
      }),
      { description: 'What it has created, oldest first, as far as there are events of it.' },
    ),
    created_truncated: Type.Boolean({ description: 'Whether it has created more than is listed.' }),
  }),
  json: ({ id, created }: { readonly id: string; readonly created: CreatedByKey }, { issuer }: Services) => ({
    id,
    ...createdJson(created, issuer),
  }),
};
