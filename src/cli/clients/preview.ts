// `latchkey client preview`: what an application would get to know about a person.

import { previewApplication, previewJson } from '../../operations/oauth/preview-application.ts';
import { defineStoreCommand } from '../with-services.ts';
import { requireDoneById } from './named-client.ts';

export const preview = defineStoreCommand({
  summary: 'show what an application would get to know about a person',
  details: `As if the person had just agreed to everything, with what is known without a sign-in. Without --scope, the application
asks for all of its scopes. Claims that people can enter themselves are marked. Each preview is recorded.`,
  arguments: {
    clientId: { label: '<client_id>', completes: 'client' },
    person: { label: '<email|id>', completes: 'person' },
  },
  options: { scope: { value: 'SCOPES', about: 'what the application asks for: "openid profile email" or fewer' } },
  examples: [
    'latchkey client preview photos ada@example.com',
    'latchkey client preview photos ada@example.com --scope "openid profile" --json',
  ],
  async run({ services, values: { scope }, args: { clientId, person }, requester }) {
    const outcome = await previewApplication(services, clientId, person, scope, requester);
    const previewed = await requireDoneById(services, clientId, outcome);
    const { client, preview } = previewed;
    const asserted = new Set(
      client.claims.flatMap((each) => (each.source === 'attribute' && each.selfAsserted ? [each.claim] : [])),
    );
    const rows = (title: string, claims: Readonly<Record<string, unknown>>) =>
      Object.entries(claims).map(([name, value], index) => [
        index === 0 ? title : '',
        name,
        `${JSON.stringify(value)}${asserted.has(name) ? ' (entered by you)' : ''}`,
      ]);
    const dropped = '\nThe claims for the ID token come to more than 4 KB, so all of them are left out of it.';
    return {
      json: previewJson(previewed),
      table: [['WHERE', 'CLAIM', 'VALUE'], ...rows('userinfo', preview.userinfo), ...rows('ID token', preview.idToken)],
      text: preview.dropped ? dropped : undefined,
    };
  },
});
