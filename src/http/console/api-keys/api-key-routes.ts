// The console's page about API keys.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../../../operations/api-keys/api-keys.ts';
import { type ApiKeysPage, apiKeysPage, newApiKeyPage } from '../../../pages/console/api-keys/api-keys.ts';
import type { HttpContext } from '../../context.ts';
import { redirect } from '../../send-page.ts';
import { type ConsoleRequest, consolePages } from '../console-pages.ts';

export function consoleApiKeyRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  pages.get('/admin/keys', (page) => sendKeys(page, 200, {}));

  pages.powerful('/admin/keys', async (form) => {
    const attempt = { name: form.field('name'), permission: form.field('permission'), days: form.field('days').trim() };
    const days = attempt.days === '' ? undefined : Number(attempt.days);
    const outcome = await createApiKey(services, { ...attempt, days }, form.requester);
    if (outcome.kind === 'refused') return sendKeys(form, 400, { attempt, problem: refusalSentence(outcome) });
    // Without the key itself, because shells keep a history of commands.
    const example = `curl -H "Authorization: Bearer $LATCHKEY_API_KEY" ${services.issuer}/api/applications`;
    return form.send(200, newApiKeyPage(form.frame, { secret: outcome.secret, example }));
  });

  pages.powerful('/admin/keys/end', async (form) => {
    const outcome = await revokeApiKey(services, form.field('end'), form.requester);
    if (outcome.kind === 'refused') return sendKeys(form, 400, { problem: refusalSentence(outcome) });
    return redirect(form.reply, 303, '/admin/keys?done=key-ended');
  });

  async function sendKeys(page: ConsoleRequest, status: number, attempt: Partial<ApiKeysPage>): Promise<FastifyReply> {
    const body = apiKeysPage(page.frame, {
      keys: await listApiKeys(services),
      submissionToken: page.submissionToken,
      now: services.clock.now(),
      attempt: { name: '', permission: 'read', days: '' },
      notice: status === 200 ? page.notice : undefined,
      problem: undefined,
      ...attempt,
    });
    return page.send(status, body);
  }
}
