// The console's API keys.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { apiKeyHasEnded, createApiKey, endApiKey } from '../../operations/admin/api-keys.ts';
import { sentenceOf } from '../../operations/admin/outcome.ts';
import { type ApiKeysPage, apiKeysPage, newApiKeyPage } from '../../pages/console/api-keys.ts';
import type { HttpContext } from '../context.ts';
import { redirect } from '../send-page.ts';
import { type ConsoleRequest, consolePages } from './console-pages.ts';

export function consoleApiKeyRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { storage, clock } = services;
  const { page, form } = consolePages(app, context);

  page('/admin/keys', (own) => sendKeys(own, 200, {}));

  form('/admin/keys', async (own) => {
    const attempt = { name: own.field('name'), permission: own.field('permission'), days: own.field('days').trim() };
    const days = attempt.days === '' ? undefined : Number(attempt.days);
    const outcome = await createApiKey(services, { ...attempt, days }, own.origin);
    if (outcome.kind === 'refused') return sendKeys(own, 400, { attempt, problem: sentenceOf(outcome) });
    // Not with the key in it: what is typed into a shell is kept there.
    const example = `curl -H "Authorization: Bearer $LATCHKEY_API_KEY" ${services.issuer}/api/applications`;
    return own.send(200, newApiKeyPage(own.frame, { secret: outcome.secret, example }));
  });

  form('/admin/keys/end', async (own) => {
    const outcome = await endApiKey(services, own.field('end'), own.origin);
    if (outcome.kind === 'refused') return sendKeys(own, 400, { problem: sentenceOf(outcome) });
    return redirect(own.reply, 303, '/admin/keys?done=key-ended');
  });

  async function sendKeys(own: ConsoleRequest, status: number, attempt: Partial<ApiKeysPage>): Promise<FastifyReply> {
    const now = clock.now();
    const keys = await storage.listApiKeys();
    const body = apiKeysPage(own.frame, {
      keys: await Promise.all(
        keys.map(async (key) => ({
          ...key,
          over: apiKeyHasEnded(key, now),
          maker: key.createdBy === null ? undefined : ((await storage.findUser(key.createdBy))?.name ?? key.createdBy),
        })),
      ),
      once: own.once,
      attempt: { name: '', permission: 'read', days: '' },
      notice: status === 200 ? own.notice : undefined,
      problem: undefined,
      ...attempt,
    });
    return own.send(status, body);
  }
}
