// What each role can do in the console: every route is asked for by the weakest who may and the strongest who may not, and before a
// release by everyone. No page offers what its reader can't do.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAttribute } from '../../../src/operations/attributes/attributes.ts';
import { setOwners } from '../../../src/operations/clients/owners.ts';
import { createGroup } from '../../../src/operations/groups/groups.ts';
import { createScimToken } from '../../../src/operations/scim/scim-tokens.ts';
import type { Role } from '../../../src/protocol/admin/rights.ts';
import { DAY } from '../../../src/protocol/durations.ts';
import { formTokenOf } from '../../harness/account.ts';
import { allowedRoute, allowedRoutes, assertAllListed, closestTo, Turns } from '../../harness/allowed-routes.ts';
import { newUpstream } from '../../harness/discovery.ts';
import { releaseTest } from '../../harness/lane.ts';
import { Person } from '../../harness/person.ts';
import { heldRoles, isSum, newUserWithRoles } from '../../harness/roles.ts';
import { requester, startTestService, type TestService, type TestUser } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn, routesUnder } from '../../harness/store.ts';
import { newWebhook } from '../../harness/webhooks.ts';

interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly url: string;
}

let service: TestService;
let routes: Route[];
let somebody: TestUser;
let clientId: string;

before(async () => {
  service = await startTestService();
  await service.running.services.webhooks.close();
  const { services } = service.running;
  const client = await service.newClient();
  clientId = client.id;
  somebody = await service.newUser({ name: 'Ada Lovelace' });
  const group = await createGroup(services, { name: 'Console' }, requester);
  await createAttribute(services, { name: 'team', label: 'Team', kind: 'text' }, requester);
  // Tests move the clock by days, and compare the store before and after: what is over by then stays.
  const now = service.clock.now();
  await services.storage.takeLease('sweep', 'this suite', now, now + 365 * DAY);
  const upstream = await newUpstream(service);
  const token = await createScimToken(services, { source: 'entra', name: 'Entra ID' }, requester);
  const { webhook } = await newWebhook(service, { clientId: client.id });
  const ids: Record<string, string> = {
    people: somebody.id,
    groups: group.kind === 'done' ? group.group.id : '',
    applications: client.id,
    settings: 'team',
    providers: upstream.name,
    webhooks: webhook.id,
    'scim-tokens': token.kind === 'done' ? token.token.id : '',
  };
  const listed = await Promise.all(
    (['GET', 'POST'] as const).map(async (method) =>
      (await routesUnder(service, '/admin', method)).map((path) => {
        const url = path.replace(':id', ids[path.split('/')[2] ?? ''] ?? 'unknown');
        // A new endpoint is an application's own, or an administrator's.
        return { method, path, url: path === '/admin/webhooks/new' ? `${url}?application=${client.id}` : url };
      }),
    ),
  );
  routes = listed.flat();
  assertAllListed('admin', routes);
});
after(() => service.stop());

interface Holder {
  readonly name: string;
  readonly authority: { readonly roles: readonly Role[] };
  readonly person: Person;
  readonly formToken: string;
}

async function newHolder(roles: readonly Role[]): Promise<Holder> {
  const person = new Person(service);
  await person.signIn(await newUserWithRoles(service, roles));
  const formToken = await formTokenOf(person);
  return { name: roles.length === 0 ? 'no role' : roles.join(' and '), authority: { roles }, person, formToken };
}

/** What the event about it names. */
async function assertRefused({ method, path, url }: Route, { name, authority, person }: Holder): Promise<string> {
  const form = { action: url, fields: {}, buttons: [] };
  const answer = method === 'GET' ? await person.request(url) : await person.submit(form, {});
  assert.equal(answer.status, 403, `${method} ${url} with ${name}`);
  const text = await answer.text();
  assert.match(text, authority.roles.length === 0 ? /You need admin access/ : /Your role doesn(&#39;|')t include this/);
  return allowedRoute(method, path).right ?? assert.fail(path);
}

async function assertAllowed({ method, path, url }: Route, { name, person, formToken }: Holder): Promise<void> {
  // Changes nothing in whichever form: it's about what doesn't exist, or lacks what is needed. An endpoint has to be an
  // application's own here, too.
  const fields = { form_token: formToken, application: clientId, fields: 'uses', uses: 'none' };
  const nowhere = { action: path.replace(':id', 'nothing'), fields, buttons: [] };
  const answer = method === 'GET' ? await person.request(url) : await person.submit(nowhere, {});
  assert.notEqual(answer.status, 403, `${method} ${url} with ${name}`);
  assert.ok(answer.status < 500, `${method} ${url} with ${name}: ${answer.status}`);
}

/** Every refusal has an event, and nothing else has one. Of these, so many are recorded in some hours. */
async function assertEvents(work: () => Promise<readonly string[]>): Promise<void> {
  service.clock.advance(4 * 60 * 60);
  const before = (await service.events('administration_refused')).length;
  const rights = await work();
  const events = (await service.events('administration_refused')).slice(before);
  assert.deepEqual(
    events.map(({ detail }) => detail?.right),
    rights,
  );
  for (const { detail } of events) assert.match(String(detail?.by), /^administrator /);
}

/** No link and no form on a page leads to a refusal. */
async function assertOffersOnlyAllowed({ url }: Route, { name, authority, person }: Holder): Promise<void> {
  const mayFollow = (method: string, target: string) => {
    const path = target.replace(/[?#].*/, '');
    return !/^\/admin(\/|$)/.test(path) || allowedRoute(method, path).allows(authority);
  };
  const answer = await person.request(url);
  assert.notEqual(answer.status, 403, `${url} with ${name}`);
  const page = await answer.text();
  for (const [, attributes = ''] of page.matchAll(/<form ([^>]*)>/g)) {
    const action = /action="([^"]*)"/.exec(attributes)?.[1] ?? '';
    const method = attributes.includes('method="post"') ? 'POST' : 'GET';
    assert.ok(mayFollow(method, action), `${url} has a form for ${action}, with ${name}`);
  }
  for (const [, href = ''] of page.matchAll(/<a [^>]*href="([^"]*)"/g)) {
    assert.ok(mayFollow('GET', href), `${url} links to ${href}, with ${name}`);
  }
}

test('each route and operation needs the right that is listed for it', async () => {
  for (const { route, right } of allowedRoutes) {
    const [method = '', path = ''] = route.split(' ');
    const { routeRights } = await service.running.frameworkAt(path);
    assert.equal(routeRights.find(method, path), right, route);
  }
});

const isPage = ({ method, path }: Route) => method === 'GET' && !/\.(csv|jsonl)$/.test(path);

describe('the closest to what a route needs', () => {
  let holders: Holder[];
  before(async () => {
    const compared = heldRoles.filter((roles) => !isSum(roles));
    holders = await Promise.all(compared.map((roles) => newHolder(roles)));
  });
  const closest = ({ method, path }: Route) => closestTo(allowedRoute(method, path), holders);

  test('the strongest who may not are refused each page and form, with an event, and it changes nothing', async () => {
    const turns = { allowed: new Turns(), refused: new Turns() };
    const since = await everythingIn(service);
    await assertEvents(async () => {
      const rights: string[] = [];
      for (const route of routes) {
        const { weakestAllowed, strongestRefused } = closest(route);
        rights.push(await assertRefused(route, turns.refused.next(strongestRefused)));
        await assertAllowed(route, turns.allowed.next(weakestAllowed));
      }
      return rights;
    });
    await assertNothingChanged(service, since);
    const names = holders.map(({ name }) => name);
    turns.allowed.assertTaken(names.filter((name) => name !== 'no role'));
    turns.refused.assertTaken(names.filter((name) => name !== 'administrator'));
  });

  test('to the weakest who may open it, no page has a link or a form that leads to a refusal', async () => {
    for (const route of routes.filter(isPage)) {
      for (const holder of closest(route).weakestAllowed) await assertOffersOnlyAllowed(route, holder);
    }
  });
});

describe('an owner of an application without a role', () => {
  let holder: Holder;
  let other: string;
  before(async () => {
    const user = await service.newUser({ name: 'Olga Owner' });
    other = (await service.newClient({ name: 'Of others' })).id;
    const owners = { people: [user.id] };
    assert.equal((await setOwners(service.running.services, clientId, owners, requester)).kind, 'done');
    const person = new Person(service);
    await person.signIn(user);
    holder = { name: 'owner', authority: { roles: [] }, person, formToken: await formTokenOf(person) };
  });
  const ask = ({ method }: Route, url: string) =>
    method === 'GET'
      ? holder.person.request(url)
      : holder.person.submit({ action: url, fields: { form_token: holder.formToken }, buttons: [] }, {});
  const owners = ({ method, path }: Route) => allowedRoute(method, path).owners;
  const isOfOne = ({ path }: Route) => path.startsWith('/admin/applications/:id');
  // It leads to their own pages.
  const isStart = ({ method, path }: Route) => method === 'GET' && path === '/admin';

  test('may do what the table says of theirs, and nothing else', async () => {
    for (const route of routes.filter((each) => !isStart(each))) {
      const answer = await ask(route, route.url);
      assert.equal(answer.status === 403, !owners(route), `${route.method} ${route.url}: ${answer.status}`);
      assert.ok(answer.status < 500, route.url);
    }
    const start = await holder.person.request('/admin');
    assert.equal(start.headers.get('location'), '/admin/your-applications');
  });

  test('may do none of it for an application that others own, or that nobody has', async () => {
    for (const id of [other, 'nothing', `${clientId}x`, `~${clientId}`, encodeURIComponent(`${clientId}/`)]) {
      const since = await everythingIn(service);
      for (const route of routes.filter(isOfOne)) {
        const url = route.path.replace(':id', id);
        const answer = await ask(route, url);
        assert.ok([403, 404].includes(answer.status), `${route.method} ${url}: ${answer.status}`);
      }
      await assertNothingChanged(service, since);
    }
  });

  test('is offered nothing that leads to a refusal', async () => {
    for (const route of routes.filter((each) => isPage(each) && owners(each))) {
      const page = await (await holder.person.request(route.url)).text();
      for (const [, path = ''] of page.matchAll(/(?:href|action)="(\/admin[^"?#]*)/g)) {
        const method = page.includes(`action="${path}"`) && !page.includes(`href="${path}"`) ? 'POST' : 'GET';
        const isGet = method === 'GET' || page.includes(`method="get" action="${path}"`);
        assert.ok(
          path === '/admin' || allowedRoute(isGet ? 'GET' : 'POST', path).owners,
          `${route.url} leads to ${path}`,
        );
      }
    }
  });
});

for (const roles of heldRoles) {
  const name = roles.length === 0 ? 'no role' : roles.join(' and ');
  const may = ({ method, path }: Route) => allowedRoute(method, path).allows({ roles });

  releaseTest(`with ${name}, a page or a form is 403 exactly if no role includes it, and changes nothing`, async () => {
    const holder = await newHolder(roles);
    const since = await everythingIn(service);
    await assertEvents(async () => {
      for (const route of routes.filter((each) => may(each))) await assertAllowed(route, holder);
      const rights: string[] = [];
      for (const route of routes.filter((each) => !may(each))) rights.push(await assertRefused(route, holder));
      return rights;
    });
    await assertNothingChanged(service, since);
  });

  releaseTest(`with ${name}, no page has a link or a form that leads to a refusal`, async () => {
    const holder = await newHolder(roles);
    for (const route of routes.filter((each) => isPage(each) && may(each))) {
      await assertOffersOnlyAllowed(route, holder);
    }
  });
}
