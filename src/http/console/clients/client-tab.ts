// Sends one of the tabs of an application.

import type { FastifyReply } from 'fastify';
import { findClient } from '../../../operations/clients/clients.ts';
import type { Storing } from '../../../operations/services.ts';
import type { PageResult } from '../../../pages/account/account-layout.ts';
import type { ClientTabPage } from '../../../pages/console/clients/client-layout.ts';
import type { Client } from '../../../storage/storage.ts';
import { appIdentity } from '../../logos.ts';
import type { ConsoleRequest } from '../console-pages.ts';

/** What the tab is made from, with the notice of the request's query and the problem of its form. */
export function tabOf(page: ConsoleRequest, client: Client, { problem }: Partial<PageResult> = {}): ClientTabPage {
  const { id, revokedAt } = client;
  return { client: { id, app: appIdentity(client), revokedAt }, notice: page.notice, problem };
}

export async function clientTab(
  services: Storing,
  page: ConsoleRequest,
  status: number,
  attempt: Partial<PageResult>,
  render: (client: Client, tab: ClientTabPage) => Promise<string>,
): Promise<FastifyReply> {
  const found = await findClient(services, page.id);
  if (found.kind === 'refused') return page.refuse(found);
  return page.send(status, await render(found.client, tabOf(page, found.client, attempt)));
}
