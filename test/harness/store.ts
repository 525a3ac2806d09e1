// Looks at what a service has stored and sent, past its own pages.

import assert from 'node:assert/strict';
import { lateSections } from '../../src/http/late-sections.ts';
import type { EmailMessage } from '../../src/protocol/emails.ts';
import { emailLifetime } from '../../src/protocol/mail-schedule.ts';
import { type TestService, tables } from './service.ts';

/** Tables that any request may change, or the service by itself: on a busy machine it checks whether it can write. */
const passing = [
  'events',
  'leases',
  'hourly_totals',
  'sign_in_failures',
  'spent_tickets',
  'service_facts',
  'instances',
];

type Time = number | string | null;

/** A row without the times that merely opening a page updates. */
const asText = (row: object) =>
  JSON.stringify({ ...row, last_seen_at: 0, last_used_at: 0, last_active_at: 0, secret_used_at: 0 });

/** The rows of all tables, except those that any request may change. */
export async function everythingIn(service: TestService, without = passing): Promise<string[]> {
  await service.running.services.journal.flush();
  const kept = tables.filter((table) => !without.includes(table));
  const rows = await service.rowsOf(kept);
  return rows.flatMap((found, index) => found.map((row) => `${kept[index]} ${asText(row)}`));
}

export async function assertNothingChanged(
  service: TestService,
  since: readonly string[],
  without = passing,
): Promise<void> {
  const now = await everythingIn(service, without);
  const [before, after] = [new Set(since), new Set(now)];
  // Of rows that say when they were stored: the soonest that they can be over.
  const { brief } = service.running.services.settings.sessionLimits;
  const lifetimes: Readonly<Record<string, number>> = { mails: emailLifetime, sessions: brief };
  // What is over may be swept at any moment.
  const isOver = (row: string) => {
    const [table = ''] = row.split(' ', 1);
    const { delete_after, expires_at, created_at } = JSON.parse(row.slice(table.length)) as Record<string, Time>;
    const lifetime = lifetimes[table];
    const end = lifetime === undefined ? null : Number(created_at) + lifetime;
    return [delete_after, expires_at, end].some((time) => time != null && Number(time) <= service.clock.now());
  };
  const gone = since.filter((row) => !after.has(row) && !isOver(row));
  const come = now.filter((row) => !before.has(row));
  assert.deepEqual({ gone, come }, { gone: [], come: [] });
}

/** The emails to an address, newest first. Emails of the same instant come in any order. */
export async function mailsTo(service: TestService, address: string): Promise<EmailMessage[]> {
  const waiting = await service.running.services.emailQueue.list(500);
  return waiting.map(({ email }) => email).filter(({ to }) => to === address);
}

/** The path of the newest link sent to an address. */
export async function linkFor(service: TestService, address: string): Promise<string> {
  const links = (await mailsTo(service, address)).flatMap(({ text }) => /https?:\/\/\S+\?link=\S+/.exec(text) ?? []);
  assert.ok(links[0], `no link for ${address}`);
  return links[0].slice(service.url.length);
}

/** The routes under a path that accept a method, as the service itself lists them. */
export async function routesUnder(service: TestService, path: string, method: string): Promise<string[]> {
  const sections = ['/', ...lateSections.map((late) => late.path)];
  const found = await Promise.all(sections.map((section) => routesOfSection(service, section, method)));
  return found
    .flat()
    .filter((route) => route.startsWith(path))
    .sort();
}

/** Those of the framework that serves a path. */
export async function routesOfSection(service: TestService, section: string, method: string): Promise<string[]> {
  const found: string[] = [];
  const stack: string[] = [];
  const tree = (await service.running.frameworkAt(section)).printRoutes({ commonPrefix: false });
  for (const [, indent = '', part = '', methods = ''] of tree.matchAll(/^(.*)[├└]── (\S+) \((.*)\)$/gm)) {
    stack.splice(indent.length / 4, stack.length, part);
    if (methods.split(', ').includes(method)) found.push(stack.join(''));
  }
  return found;
}
