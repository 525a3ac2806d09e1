// A list's URL that says what the list doesn't know, and pages of lists that are gone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { alertOn, visit } from '../../harness/console.ts';
import { Person } from '../../harness/person.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

let service: TestService;
let admin: Person;
let client: string;

before(async () => {
  service = await startTestService();
  admin = new Person(service);
  await admin.signIn(await service.newUser({ admin: true, name: 'Root' }));
  client = (await service.newClient({ name: 'Atlas' })).id;
});
after(() => service.stop());

test('a filter that a list does not have, and a value that it does not know, are refused', async () => {
  const group = '/admin/groups';
  const unknown = (name: string) => `There is no filter &quot;${name}&quot; here.`;
  const access = `/admin/applications/${client}/access`;
  for (const [url, sentence] of [
    ['/admin/people?stauts=disabled', unknown('stauts')],
    ['/admin/people.csv?stauts=disabled', unknown('stauts')],
    ['/admin/people?second_factor=none&ending=no', 'The filter &quot;ending&quot; must be yes.'],
    ['/admin/applications?public=yes', unknown('public')],
    [`${group}?owner=ada`, unknown('owner')],
    [`${access}?status=active`, unknown('status')],
    [`${access}.jsonl?status=active`, unknown('status')],
    ['/admin/events?user=ada', unknown('user')],
    ['/admin/events.csv?user=ada', unknown('user')],
    ['/admin/events?failures=no', 'The filter &quot;failures&quot; must be yes.'],
    [
      '/admin/access-requests?status=opened',
      'The filter &quot;status&quot; must be one of: open, allowed, declined, expired.',
    ],
    ['/admin/reviews/any?outcome=kept', 'The filter &quot;outcome&quot; must be task.'],
    ['/admin/reviews/any?decision=kept', 'The filter &quot;decision&quot; must be one of: none, keep, remove.'],
    ['/admin/reviews/any/items.csv?decided=keep', unknown('decided')],
    ...[
      '/admin/people/invitations',
      '/admin/people/sign-up-links',
      '/admin/people/waiting',
      '/admin/reviews',
      '/admin/keys',
      '/admin/scim-tokens',
      '/admin/providers',
      '/admin/webhooks',
      '/admin/settings/attributes',
    ].map((list) => [`${list}?status=active`, unknown('status')] as const),
    ['/admin/webhooks/any?state=failed', 'The filter &quot;state&quot; must be one of: waiting, delivered, given_up.'],
  ] as const) {
    const { status, page } = await visit(admin, url);
    assert.deepEqual([status, alertOn(page)], [400, sentence], url);
    const [list = ''] = url.replace(/[.](csv|jsonl)/, '').split('?');
    assert.ok(page.includes(`<a href="${list}">Go to the first page.</a>`), url);
  }
  for (const url of ['/admin/people?status=disabled&search=a&sort=&done=x&undo=x', `${access}?find=a&view=list`]) {
    assert.equal((await visit(admin, url)).status, 200, url);
  }
});

test('a page of a list that is gone leads to the first one, with the same filters', async () => {
  for (let made = 0; made < 51; made++) {
    await service.newUser({ name: `Many ${made}`, password: null });
    await service.newClient({ name: `Many ${made}` });
  }
  for (const list of ['/admin/people', '/admin/applications']) {
    const { page: first } = await visit(admin, `${list}?sort=name&search=`);
    const next = /href="([^"]*)" rel="next"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail(list);
    const gone = next.replace(/cursor=([^&]+)/, (_, cursor: string) => {
      const [, , ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
      const end = ['7f'.repeat(20), 'z'.repeat(26), ...rest];
      return `cursor=${Buffer.from(JSON.stringify(end)).toString('base64url')}`;
    });
    for (const [url, status] of [
      [gone, 404],
      [`${list}?sort=name&cursor=nonsense`, 400],
    ] as const) {
      const moved = await visit(admin, url);
      assert.equal(moved.status, status, url);
      assert.match(moved.page, /This page has moved\.[\s\S]*Go to the first page\./);
      assert.ok(moved.page.includes(`<a href="${list}?sort=name">`), url);
    }
  }
  const { page: newest } = await visit(admin, '/admin/events?kind=client_created');
  const older = /href="([^"]*)" rel="next"/.exec(newest)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail('one page');
  assert.equal((await visit(admin, older)).status, 200);
  await service.execute('DELETE FROM events');
  const moved = await visit(admin, older);
  assert.equal(moved.status, 404);
  assert.ok(moved.page.includes('<a href="/admin/events?kind=client_created">Go to the first page.</a>'));
});
