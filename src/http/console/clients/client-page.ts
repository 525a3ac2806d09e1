// One application's page, and the page that shows a secret once: shared by every route that ends on one of them.

import type { FastifyReply } from 'fastify';
import { clientDetails } from '../../../operations/clients/clients.ts';
import { listUpstreams } from '../../../operations/upstreams/upstreams.ts';
import { listWebhooks } from '../../../operations/webhooks/endpoints.ts';
import { type ClientPage, clientPage, newSecretPage } from '../../../pages/console/clients/client.ts';
import { envFile } from '../../../protocol/admin/env-file.ts';
import { clientFields } from '../../../protocol/resources/client.ts';
import type { Client } from '../../../storage/storage.ts';
import type { HttpContext } from '../../context.ts';
import { appIdentity } from '../../logos.ts';
import { sendErrorPage } from '../../send-page.ts';
import { type ConsoleRequest, clientsPath } from '../console-pages.ts';
import { shownInForm } from '../field-forms.ts';
import { statusOf } from '../webhooks/webhook-pages.ts';

export { clientsPath };

/** The page with the settings as they are stored, unless `attempt` says otherwise. */
export async function sendClient(
  context: HttpContext,
  page: ConsoleRequest,
  status: number,
  attempt: Partial<ClientPage>,
): Promise<FastifyReply> {
  const found = await clientDetails(context.services, page.id);
  if (found.kind === 'refused') return sendErrorPage(context, page.request, page.reply, 404, 'notFound');
  const { client, users } = found;
  const { id, isPublic, access, secrets, createdAt, revokedAt } = client;
  const webhooks = await listWebhooks(context.services, id);
  const body = clientPage(page.frame, {
    id,
    app: appIdentity(client),
    isPublic,
    access,
    secrets,
    createdAt,
    revokedAt,
    fields: shownInForm(clientFields, 'change', client, await clientChoices(context)),
    webhooks: webhooks.map((webhook) => ({ id: webhook.id, url: webhook.url, status: statusOf(webhook) })),
    version: String(client.updatedAt),
    submissionToken: page.submissionToken,
    users,
    now: context.services.clock.now(),
    notice: status === 200 ? page.notice : undefined,
    problem: undefined,
    problems: {},
    ...attempt,
  });
  return page.send(status, body);
}

/** The identity providers that an application can send people to. */
export async function clientChoices({ services }: HttpContext) {
  const upstreams = await listUpstreams(services);
  return { upstream: upstreams.map(({ name, label }) => ({ value: name, label })) };
}

export function sendSecret(
  context: HttpContext,
  page: ConsoleRequest,
  client: Client,
  secret: string | undefined,
): FastifyReply {
  const [redirectUri = ''] = client.redirectUris;
  const env = envFile({ issuer: context.services.issuer, clientId: client.id, clientSecret: secret, redirectUri });
  const body = newSecretPage(page.frame, { clientId: client.id, secret, env, docs: context.docs === 'on' });
  return page.send(200, body);
}
