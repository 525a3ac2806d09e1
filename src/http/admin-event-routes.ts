// The console's overview, its events and why something failed, and its API keys.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { apiKeyIsOver, createApiKey, endApiKey } from '../operations/api-keys.ts';
import { listEvents } from '../operations/lists.ts';
import { rejected, sentenceOf } from '../operations/managed.ts';
import { overview } from '../operations/overview.ts';
import { actorIn, type EventsFilter, eventsPage, type RedirectMismatch } from '../pages/admin-events.ts';
import { type KeysPage, keysPage, newKeyPage } from '../pages/admin-keys.ts';
import { overviewPage } from '../pages/admin-overview.ts';
import { closest, differenceOf } from '../protocol/difference.ts';
import type { EventRecord } from '../protocol/event.ts';
import { redirectUriProblem } from '../protocol/redirect-uri.ts';
import type { Client } from '../storage/storage.ts';
import { type AdminPage, adminPages } from './admin-pages.ts';
import type { HttpContext } from './context.ts';
import { redirect } from './pages.ts';

const DAY = 24 * 60 * 60 * 1000;
const filterNames = ['person', 'application', 'kind', 'reference', 'since', 'until'] as const;

export function adminEventRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { storage, clock } = services;
  const { page, form } = adminPages(app, context);

  page('/admin', async ({ frame, send }) => send(200, overviewPage(frame, await overview(services))));

  page('/admin/events', async (own) => {
    const entries = filterNames.map((name) => [name, own.query.get(name)?.trim() ?? '']);
    const filter = Object.fromEntries(entries) as unknown as EventsFilter;
    const since = dayOf(filter.since);
    const until = dayOf(filter.until);
    const m = own.frame.messages.admin.events;
    const badTime = since === 'bad' || until === 'bad';
    const listed = badTime
      ? rejected('')
      : await listEvents(services, {
          person: filter.person || undefined,
          application: filter.application || undefined,
          kind: filter.kind || undefined,
          reference: filter.reference || undefined,
          since,
          // The last day is meant with all its hours.
          until: until === undefined ? undefined : until + DAY,
          cursor: own.query.get('cursor') ?? undefined,
        });
    const found = listed.kind === 'done' ? listed : { items: [], next: undefined };
    const apps = await namedIn(found.items, 'clientId', (id) => storage.findClient(id));
    const people = await namedIn(found.items, 'userId', (id) => storage.findUser(id));
    const actors = found.items.flatMap(({ detail }) => actorIn(detail) ?? []);
    for (const { id } of actors.filter(({ kind }) => kind === 'administrator')) {
      const user = people.has(id) ? undefined : await storage.findUser(id);
      if (user !== undefined) people.set(id, user);
    }
    const keys = actors.some(({ kind }) => kind === 'api_key') ? await storage.listApiKeys() : [];
    const problem = badTime ? m.badTime : listed.kind === 'rejected' ? sentenceOf(listed) : undefined;
    const names = <Named extends { name: string }>(known: Map<string, Named>) =>
      new Map([...known].map(([id, { name }]) => [id, name]));
    const body = eventsPage(own.frame, {
      filter,
      events: found.items.map((event) => ({ ...event, mismatch: mismatchIn(event, apps) })),
      people: names(people),
      apps: names(apps),
      keys: new Map(keys.map(({ id, name }) => [id, name])),
      next: found.next,
      notice: own.notice,
      problem,
    });
    return own.send(problem === undefined ? 200 : 400, body);
  });

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

/** The people, or applications, that events name and that are still there. */
async function namedIn<Found>(
  events: readonly EventRecord[],
  key: 'clientId' | 'userId',
  find: (id: string) => Promise<Found | undefined>,
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  const ids = new Set(events.flatMap((event) => event[key] ?? []));
  await Promise.all(
    [...ids].map(async (id) => {
      const each = await find(id);
      if (each !== undefined) found.set(id, each);
    }),
  );
  return found;
}

/** For a redirect URI that was refused: what it was, beside the registered one that is most like it. */
function mismatchIn(event: EventRecord, apps: ReadonlyMap<string, Client>): RedirectMismatch | undefined {
  const client = apps.get(event.clientId ?? '');
  if (client === undefined || event.detail?.reason !== 'redirect_uri_mismatch') return undefined;
  const received = String(event.detail.received ?? '');
  const registered = [event.detail.registered ?? []].flat().map(String);
  const nearest = received === '' ? undefined : closest(received, registered);
  const problem = redirectUriProblem(received, client.isPublic);
  const canBe = problem === undefined ? 'can_be_registered' : { problem };
  return {
    clientId: client.id,
    received,
    difference: nearest === undefined ? undefined : differenceOf(received, nearest),
    state: client.redirectUris.includes(received) ? 'registered' : canBe,
  };
}

/** The beginning of a day (UTC), undefined when none is given. */
function dayOf(text: string): number | undefined | 'bad' {
  if (text === '') return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? 'bad' : at;
}
