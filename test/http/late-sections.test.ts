// The account, the console, the API, SCIM and the documentation are loaded with the first request for them, whatever it looks like.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { lateSections, sectionAt, withSections } from '../../src/http/late-sections.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { routesOfSection } from '../harness/store.ts';

describe('which section a path belongs to', () => {
  const cases: readonly (readonly [url: string, section: string | undefined])[] = [
    ['/admin', '/admin'],
    ['/admin?x=1', '/admin'],
    ['/admin/people', '/admin'],
    ['/%61dmin/people', '/admin'],
    ['/api', '/api'],
    ['/api/', '/api'],
    ['/api/groups?limit=%', '/api'],
    ['/scim/v2/Users?filter=x', '/scim'],
    ['/%73cim/v2', '/scim'],
    ['/scimitar', undefined],
    ['/administrator', undefined],
    ['/apis', undefined],
    ['/api%2Fgroups', undefined],
    ['/%', undefined],
    ['/account?done=profile', '/account'],
    ['/account/proof', '/account'],
    ['/accounts', undefined],
    ['/docs/api', '/docs'],
    ['/docs.html', undefined],
    ['/sign-in?next=/admin', undefined],
    ['/', undefined],
    ['', undefined],
  ];
  for (const [url, section] of cases) test(url, () => assert.equal(sectionAt(url)?.path, section));
});

describe('a service', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  test('answers many first requests at once, each as if the section had been there', async () => {
    const asked = [
      '/api/openapi.json',
      '/api/openapi.json',
      '/%61pi/openapi.json',
      '/api/nothing',
      '/admin',
      '/admin',
      '/account',
      '/docs',
    ];
    const answers = await Promise.all(asked.map((path) => fetch(service.url + path, { redirect: 'manual' })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 401, 302, 302, 302, 200],
    );
    const ids = answers.map(({ headers }) => headers.get('X-Request-Id'));
    assert.equal(new Set(ids).size, asked.length);
    for (const { headers } of answers) assert.equal(headers.get('Referrer-Policy'), 'same-origin');
  });

  test('has no route in a section that requests for it would not reach', async () => {
    for (const { path } of lateSections) {
      for (const method of ['GET', 'POST']) {
        const routes = await routesOfSection(service, path, method);
        if (method === 'GET') assert.ok(routes.length > 0, path);
        for (const route of routes) assert.equal(sectionAt(route.replace('*', ''))?.path, path, `${method} ${route}`);
      }
    }
  });

  test('reads the body of the first request for a section', async () => {
    const other = await startTestService();
    try {
      const body = JSON.stringify({ name: 'x'.repeat(20_000) });
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(`${other.url}/api/groups`, { method: 'POST', headers, body });
      assert.equal(answer.status, 401);
    } finally {
      await other.stop();
    }
  });
});

test("a section that can't be loaded is logged, answered with 500, and tried again", async () => {
  const logged: unknown[] = [];
  const counted: unknown[] = [];
  let attempts = 0;
  const listener = withSections((_raw, to) => to.end('a page'), {
    async frameworkOf() {
      if (++attempts === 1) throw new Error('a file is missing');
      return { routing: (_raw, to) => to.end('the section') };
    },
    metricsOf: (template) => ({ count: (method, status) => counted.push([template, method, status]) }),
    log: () => ({ error: (...entry: unknown[]) => logged.push(entry) }) as never,
  });
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    assert.equal((await fetch(`${url}/api/groups`)).status, 500);
    assert.deepEqual(logged, [[{ err: new Error('a file is missing') }, "/api can't be loaded"]]);
    assert.deepEqual(counted, [['/api/*', 'GET', 500]]);
    assert.equal(await (await fetch(`${url}/api/groups`)).text(), 'the section');
    assert.equal(await (await fetch(`${url}/sign-in`)).text(), 'a page');
  } finally {
    server.close();
  }
});
