// `latchkey client preview`: what an application would receive about a person.

import { previewApplication, previewJson } from '../../operations/oauth/preview-application.ts';
import { defineStoreCommand } from '../with-services.ts';
import { requireDoneById } from './named-client.ts';

export const preview = defineStoreCommand({
  summary: 'show what an application would receive about a person',
  details: `What the application would receive if the person approved every scope, or those of --scope. Claims that only a sign-in has, such
as its time, are left out. Claims that people can enter themselves are marked. Each preview is recorded as an event.`,
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
