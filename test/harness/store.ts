// What a service keeps and sends, looked at from outside.

import assert from 'node:assert/strict';
import type { EmailMessage } from '../../src/platform/mailer.ts';
import { type TestService, tables } from './service.ts';

/** What every request may change: what happened, who holds a lease, how often something happened, what was sent before. */
const passing = ['events', 'leases', 'hourly_totals', 'sign_in_failures', 'spent_tickets'];

/** A row but for when it was last seen or used, which looking changes. */
const asText = (row: object) =>
  JSON.stringify({ ...row, last_seen_at: 0, last_used_at: 0, last_active_at: 0, secret_used_at: 0 });

/** Everything that is stored but for what is passing. */
export async function everythingIn(service: TestService, without = passing): Promise<string[]> {
  await service.running.services.journal.flush();
  const kept = tables.filter((table) => !without.includes(table));
  const rows = await Promise.all(kept.map((table) => service.rows(table)));
  return rows.flatMap((found, index) => found.map((row) => `${kept[index]} ${asText(row)}`));
}

export async function assertNothingChanged(
  service: TestService,
  since: readonly string[],
  without = passing,
): Promise<void> {
  const now = await everythingIn(service, without);
  const gone = since.filter((row) => !now.includes(row));
  const come = now.filter((row) => !since.includes(row));
  assert.deepEqual({ gone, come }, { gone: [], come: [] });
}

/** The mails to an address, newest first. */
export async function mailsTo(service: TestService, address: string): Promise<EmailMessage[]> {
  const waiting = await service.running.services.emailQueue.list(50);
  return waiting.map(({ email }) => email).filter(({ to }) => to === address);
}

/** The path of the newest link that was sent to an address. */
export async function linkFor(service: TestService, address: string): Promise<string> {
  const links = (await mailsTo(service, address)).flatMap(({ text }) => /https?:\/\/\S+\?link=\S+/.exec(text) ?? []);
  assert.ok(links[0], `no link for ${address}`);
  return links[0].slice(service.url.length);
}

/** The addresses under a path that take a method, as the service itself knows them. */
export function routesUnder(service: TestService, path: string, method: 'GET' | 'POST'): string[] {
  const stack: string[] = [];
  const found: string[] = [];
  const tree = service.running.app.printRoutes({ commonPrefix: false });
  for (const [, indent = '', part = '', methods = ''] of tree.matchAll(/^(.*)[├└]── (\S+) \((.*)\)$/gm)) {
    stack.splice(indent.length / 4, stack.length, part);
    if (methods.split(', ').includes(method)) found.push(stack.join(''));
  }
  return found.filter((route) => route.startsWith(path)).sort();
}
