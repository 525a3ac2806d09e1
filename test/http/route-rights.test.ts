// Which right a route needs: where it's said, and how links and forms find it by their path.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { operationsAt } from '../../src/http/api/define-operation.ts';
import { consolePages } from '../../src/http/console/console-pages.ts';
import type { HttpContext } from '../../src/http/context.ts';
import { collectRights, RouteRights } from '../../src/http/route-rights.ts';
import type { Right } from '../../src/protocol/admin/rights.ts';

function newApp(): FastifyInstance {
  const app = Fastify();
  collectRights(app);
  return app;
}

const answer = () => assert.fail('nothing is requested');

describe("a route without a right doesn't start", () => {
  for (const path of ['/admin', '/admin/things/:id', '/api', '/api/things', '/api/*']) {
    test(path, () => assert.throws(() => newApp().get(path, answer), { message: `nothing says who may GET ${path}` }));
  }

  test("and neither does one whose area doesn't have the right that it would need", () => {
    const context = { services: {} } as HttpContext;
    const pages = (area: 'events' | 'roles') => consolePages(newApp(), context, area);
    assert.throws(() => pages('roles').get('/admin/roles', answer), /there is no right roles\.read/);
    for (const register of [
      () => pages('events').post('/admin/events', answer),
      () => pages('events').powerful('/admin/events', answer),
      () => pages('events').question('/admin/events/delete', 'events', answer),
      () => pages('events').asks('/admin/events', answer),
      () => operationsAt({ tag: 'activity', path: '/api/events', area: 'events' })('deleteEvents', 'DELETE', noRun),
    ]) {
      assert.throws(register, /there is no right events\.change/);
    }
  });

  test("others needn't have one", () => {
    const app = newApp();
    for (const path of ['/', '/account', '/administration', '/docs/api']) app.get(path, answer);
    app.get('/api/openapi.json', { config: { needs: 'nothing' } }, answer);
    app.get('/api/me', { config: { needs: 'self' } }, answer);
    for (const path of ['/account', '/api/openapi.json', '/api/me'])
      assert.equal(app.routeRights.find('GET', path), undefined);
  });
});

const noRun = { summary: '', message: '', run: answer };

test('a route of the console needs the right of its area, unless it names another', () => {
  const app = newApp();
  const pages = consolePages(app, { services: {} } as HttpContext, 'people');
  pages.get('/admin/people/:id', answer);
  pages.post('/admin/people/:id', answer);
  pages.question('/admin/people/:id/delete', 'people', answer);
  pages.needing('people.change').get('/admin/people/new', answer);
  pages.needing('roles.change').powerful('/admin/people/:id/roles', answer);
  const found = (method: string, path: string) => app.routeRights.find(method, path);
  assert.equal(found('GET', '/admin/people/01'), 'people.read');
  assert.equal(found('HEAD', '/admin/people/01'), 'people.read');
  assert.equal(found('POST', '/admin/people/01'), 'people.change');
  assert.equal(found('GET', '/admin/people/01/delete'), 'people.change');
  assert.equal(found('GET', '/admin/people/new'), 'people.change');
  assert.equal(found('POST', '/admin/people/01/roles'), 'roles.change');
});

describe('a path', () => {
  const rights = new RouteRights();
  const routes: readonly (readonly [route: string, right: Right])[] = [
    ['GET /admin', 'events.read'],
    ['GET /admin/people/:id', 'people.read'],
    ['GET /admin/people/waiting', 'sign_up.read'],
    ['POST /admin/people/waiting/ask', 'sign_up.change'],
    ['POST /admin/people/:id/edit', 'people.change'],
    ['GET /admin/people.csv', 'events.read'],
  ];
  for (const [route, right] of routes) {
    const [method = '', path = ''] = route.split(' ');
    rights.add(method, path, right);
  }
  for (const [asked, right] of [
    ['GET /admin', 'events.read'],
    ['GET /admin/people/01ABC', 'people.read'],
    ['GET /admin/people/a%7Cb', 'people.read'],
    ['GET /admin/people/:id', 'people.read'],
    ['GET /admin/people/waiting', 'sign_up.read'],
    ['GET /admin/people.csv', 'events.read'],
    ['POST /admin/people/waiting/ask', 'sign_up.change'],
    // As the router does: only `:id` has an `edit`.
    ['POST /admin/people/waiting/edit', 'people.change'],
    ['POST /admin/people/01ABC', undefined],
    ['GET /admin/people', undefined],
    ['GET /admin/people/01ABC/edit/more', undefined],
    ['GET /account', undefined],
  ] as const) {
    const [method = '', path = ''] = asked.split(' ');
    test(`${asked} needs ${right ?? 'nothing'}`, () => assert.equal(rights.find(method, path), right));
  }
});
