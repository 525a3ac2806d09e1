// The schema of an application's claim, for the OpenAPI document: an object for each source. What is sent is checked by the
// field itself, whose sentences say more about one of six.

import { type TProperties, Type } from 'typebox';
import { claimNameLimit, mostMapped } from '../../protocol/oauth/claim-json.ts';

const Name = Type.String({ description: 'The name of a group.' });
const Value = Type.String({ description: 'At most 1,024 bytes.' });
const GroupMap = Type.Array(Type.Object({ group: Name, value: Value }), { minItems: 1, maxItems: mostMapped });

function claimFrom(source: string, description: string, members: TProperties) {
  return Type.Object(
    {
      claim: Type.String({
        pattern: `^[A-Za-z][A-Za-z0-9_.:/-]{0,${claimNameLimit - 1}}$`,
        description: "The claim's name. Claims that tokens and OpenID Connect have themselves are reserved.",
      }),
      source: Type.Literal(source, { description }),
      ...members,
      label: Type.Optional(
        Type.Union([Type.String(), Type.Null()], { description: 'What people see instead of the name.' }),
      ),
      id_token: Type.Optional(Type.Boolean({ default: false, description: "Whether it's in the ID token as well." })),
    },
    { title: source },
  );
}

export const ApplicationClaim = Type.Union([
  claimFrom('groups', 'The names of the groups that the person is in: of all, or of these.', {
    groups: Type.Optional(Type.Union([Type.Array(Name, { minItems: 1, maxItems: mostMapped }), Type.Null()])),
  }),
  claimFrom('attribute', "The value of one of the person's attributes; left out without one.", {
    attribute: Type.String({ description: 'The name of an attribute.' }),
    self_asserted: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Has to be true for an attribute that people can edit. They see that they entered it themselves.',
      }),
    ),
  }),
  claimFrom('value', 'The same text for everyone.', { value: Value }),
  claimFrom('has-group', 'Whether the person is in the group: true or false.', { group: Name }),
  claimFrom('if-group', 'The value of the first group that the person is in; otherwise `else`, or left out.', {
    map: GroupMap,
    else: Type.Optional(Type.Union([Value, Type.Null()])),
  }),
  claimFrom('map-groups', 'The values of all groups that the person is in, as an array.', { map: GroupMap }),
]);
