// The console's page about API keys.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { createApiKey, listApiKeys, revokeApiKey } from '../../../operations/api-keys/api-keys.ts';
import { type ApiKeysPage, apiKeysPage, newApiKeyPage } from '../../../pages/console/api-keys/api-keys.ts';
import { newApiKeyFields } from '../../../protocol/resources/api-key.ts';
import type { HttpContext } from '../../context.ts';
import { type ConsoleRequest, consolePages } from '../console-pages.ts';
import { givenInForm, sentInForm, shownInForm } from '../field-forms.ts';
import { formProblems } from '../form-problems.ts';

const emptyForm = shownInForm(newApiKeyFields, 'create');

export function consoleApiKeyRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  pages.get('/admin/keys', (page) => sendKeys(page, 200));

  pages.powerful('/admin/keys', async (form) => {
    const outcome = await createApiKey(services, givenInForm(newApiKeyFields, 'create', form), form.requester);
    if (outcome.kind === 'refused') {
      return sendKeys(form, 400, { fields: sentInForm(emptyForm, form), ...formProblems(outcome) });
    }
    // Without the key itself, because shells keep a history of commands.
    const example = `curl -H "Authorization: Bearer $LATCHKEY_API_KEY" ${services.issuer}/api/applications`;
    return form.send(200, newApiKeyPage(form.frame, { secret: outcome.secret, example }));
  });

  pages.buttons('/admin/keys', sendKeys, ({ field }) => field('end'), {
    end: { run: revokeApiKey, done: '/admin/keys?done=key-ended', powerful: true },
  });

  async function sendKeys(
    page: ConsoleRequest,
    status: number,
    attempt: Partial<ApiKeysPage> = {},
  ): Promise<FastifyReply> {
    const body = apiKeysPage(page.frame, {
      keys: await listApiKeys(services),
      submissionToken: page.submissionToken,
      now: services.clock.now(),
      fields: emptyForm,
      notice: page.notice,
      problem: undefined,
      problems: {},
      ...attempt,
    });
    return page.send(status, body);
  }
}
