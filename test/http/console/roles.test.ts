// What each role can do in the console: every route is asked for by everyone, and no page offers what its reader can't do.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAttribute } from '../../../src/operations/attributes/attributes.ts';
import { createGroup } from '../../../src/operations/groups/groups.ts';
import { createScimToken } from '../../../src/operations/scim/scim-tokens.ts';
import { formTokenOf } from '../../harness/account.ts';
import { allowedRoute, assertAllListed } from '../../harness/allowed-routes.ts';
import { newUpstream } from '../../harness/discovery.ts';
import { Person } from '../../harness/person.ts';
import { heldRoles, newUserWithRoles } from '../../harness/roles.ts';
import { requester, startTestService, type TestService, type TestUser } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn, routesUnder } from '../../harness/store.ts';
import { newWebhook } from '../../harness/webhooks.ts';

let service: TestService;
let routes: { readonly method: 'GET' | 'POST'; readonly path: string; readonly url: string }[];
let somebody: TestUser;
let clientId: string;

before(async () => {
  service = await startTestService();
  await service.running.services.webhooks.close();
  const { services } = service.running;
  const client = await service.newClient();
  clientId = client.id;
  somebody = await service.newUser({ name: 'Ada Lovelace' });
  const group = await createGroup(services, 'Console', requester);
  await createAttribute(services, { name: 'team', label: 'Team', kind: 'text' }, requester);
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

for (const roles of heldRoles) {
  describe(`with ${roles.length === 0 ? 'no role' : roles.join(' and ')}`, () => {
    let person: Person;
    before(async () => {
      // Of the events about refusals, so many are recorded in some hours.
      service.clock.advance(4 * 60 * 60);
      person = new Person(service);
      await person.signIn(await newUserWithRoles(service, roles));
    });

    test('a page or a form is 403 exactly if no role includes it, with an event, and changes nothing', async () => {
      // Changes nothing in whichever form: it's about what doesn't exist, or lacks what is needed. An endpoint has to be an
      // application's own here, too.
      const invalid = { form_token: await formTokenOf(person), application: clientId, fields: 'uses', uses: 'none' };
      const since = await everythingIn(service);
      for (const { method, path, url } of routes) {
        const { right, allows } = allowedRoute(method, path);
        const before = (await service.events('administration_refused')).length;
        if (allows({ roles })) {
          const nowhere = { action: path.replace(':id', 'nothing'), fields: invalid, buttons: [] };
          const answer = method === 'GET' ? await person.request(url) : await person.submit(nowhere, {});
          assert.notEqual(answer.status, 403, `${method} ${url}`);
          assert.ok(answer.status < 500, `${method} ${url}: ${answer.status}`);
          assert.equal((await service.events('administration_refused')).length, before, `${method} ${url}`);
          continue;
        }
        const form = { action: url, fields: {}, buttons: [] };
        const answer = method === 'GET' ? await person.request(url) : await person.submit(form, {});
        assert.equal(answer.status, 403, `${method} ${url}`);
        const text = await answer.text();
        assert.match(text, roles.length === 0 ? /You need admin access/ : /Your role doesn(&#39;|')t include this/);
        const [event] = (await service.events('administration_refused')).slice(before);
        assert.equal(event?.detail?.right, right, url);
        assert.match(String(event?.detail?.by), /^administrator /);
      }
      await assertNothingChanged(service, since);
    });

    test('no page has a link or a form that leads to a refusal', async () => {
      const mayFollow = (method: string, target: string) => {
        const path = target.replace(/[?#].*/, '');
        return !/^\/admin(\/|$)/.test(path) || allowedRoute(method, path).allows({ roles });
      };
      for (const { method, path, url } of routes) {
        if (method === 'POST' || !allowedRoute(method, path).allows({ roles })) continue;
        if (/\.(csv|jsonl)$/.test(path)) continue;
        const page = await (await person.request(url)).text();
        for (const [, attributes = ''] of page.matchAll(/<form ([^>]*)>/g)) {
          const action = /action="([^"]*)"/.exec(attributes)?.[1] ?? '';
          const method = attributes.includes('method="post"') ? 'POST' : 'GET';
          assert.ok(mayFollow(method, action), `${url} has a form for ${action}`);
        }
        for (const [, href = ''] of page.matchAll(/<a [^>]*href="([^"]*)"/g)) {
          assert.ok(mayFollow('GET', href), `${url} links to ${href}`);
        }
      }
    });
  });
}
