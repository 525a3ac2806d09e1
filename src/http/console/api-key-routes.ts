// The console's API keys.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { apiKeyIsOver, createApiKey, endApiKey } from '../../operations/admin/api-keys.ts';
import { sentenceOf } from '../../operations/admin/outcome.ts';
import { type KeysPage, keysPage, newKeyPage } from '../../pages/console/api-keys.ts';
import { type AdminPage, adminPages } from './console-pages.ts';
import type { HttpContext } from '../context.ts';
import { redirect } from '../send-page.ts';

export function adminKeyRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { storage, clock } = services;
  const { page, form } = adminPages(app, context);

  page('/admin/keys', (own) => sendKeys(own, 200, {}));

  form('/admin/keys', async (own) => {
    const attempt = { name: own.field('name'), permission: own.field('permission'), days: own.field('days').trim() };
    const days = attempt.days === '' ? undefined : Number(attempt.days);
    const outcome = await createApiKey(services, { ...attempt, days }, own.origin);
    if (outcome.kind === 'rejected') return sendKeys(own, 400, { attempt, problem: sentenceOf(outcome) });
    // Not with the key in it: what is typed into a shell is kept there.
    const example = `curl -H "Authorization: Bearer $LATCHKEY_API_KEY" ${services.issuer}/api/applications`;
    return own.send(200, newKeyPage(own.frame, { secret: outcome.secret, example }));
  });

  form('/admin/keys/end', async (own) => {
    const outcome = await endApiKey(services, own.field('end'), own.origin);
    if (outcome.kind === 'rejected') return sendKeys(own, 400, { problem: sentenceOf(outcome) });
    return redirect(own.reply, 303, '/admin/keys?done=key-ended');
  });

  async function sendKeys(own: AdminPage, status: number, attempt: Partial<KeysPage>): Promise<FastifyReply> {
    const now = clock.now();
    const keys = await storage.listApiKeys();
    const body = keysPage(own.frame, {
      keys: await Promise.all(
        keys.map(async (key) => ({
          ...key,
          over: apiKeyIsOver(key, now),
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
