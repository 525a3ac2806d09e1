// The overview of the console: its counts and its warnings.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { register, send, visit } from '../../harness/console.ts';
import { Person } from '../../harness/person.ts';
import { obtainTokens, postForm, refreshParameters } from '../../harness/relying-party.ts';
import { startTestService, type TestService, type TestUser } from '../../harness/service.ts';

const HOUR = 60 * 60;

let service: TestService;
let administrator: TestUser;
let admin: Person;

before(async () => {
  service = await startTestService();
  administrator = await service.newUser({ admin: true, name: 'Margaret Hamilton' });
});
after(() => service.stop());
// Past the limits for emails and failures, within the lifetime of a session.
beforeEach(async () => {
  service.clock.advance(HOUR);
  admin = new Person(service);
  await admin.signIn(administrator);
});

describe('the overview', () => {
  test('counts sign-ins, failures and refreshes, and the use of applications', async () => {
    const fresh = await startTestService();
    try {
      const boss = await fresh.newUser({ admin: true });
      const browser = new Person(fresh);
      await browser.signIn(boss, { keep: 'yes' });
      const client = await fresh.newClient({ name: 'Counted' });
      const { tokens } = await obtainTokens(fresh, client, await fresh.newUser());
      await fresh.newUser();
      for (let made = 0; made < 3; made++) {
        await postForm(fresh, '/oauth/token', refreshParameters(client, tokens.refresh_token));
      }
      await new Person(fresh).signIn({ ...boss, password: 'not the password' });
      const page = await (await browser.visit('/admin')).text();
      const series = (name: string) => [...page.matchAll(new RegExp(`<figcaption>${name} <span>(\\d+)</span>`, 'g'))];
      assert.deepEqual(
        series('Sign-ins').map(([, n]) => n),
        ['2', '2'],
      );
      assert.deepEqual(
        series('Failures').map(([, n]) => n),
        ['1', '1'],
      );
      assert.deepEqual(
        series('Token refreshes').map(([, n]) => n),
        ['3', '3'],
      );
      assert.match(page, /aria-label="Token refreshes, Last 24 hours: 3 in total, 3 at the peak\."/);
      assert.match(page, /<dt>People<\/dt><dd>3</);
      assert.match(page, /<dt>Active in the last 30 days<\/dt><dd>2</);
      const [row = ''] = /Counted<\/a><\/th>.*/.exec(page) ?? [];
      assert.deepEqual(
        [...row.matchAll(/<td class="number" data-label="[^"]+">(\d+)</g)].map(([, n]) => n),
        ['1', '3', '0'],
      );
      // A day later the last 24 hours are empty, and the last 30 days are not.
      fresh.clock.advance(25 * HOUR);
      const later = await (await browser.visit('/admin')).text();
      assert.match(later, /Token refreshes, Last 24 hours: 0 in total/);
      assert.match(later, /Token refreshes, Last 30 days: 3 in total/);
    } finally {
      await fresh.stop();
    }
  });

  test('warns about a missing mail server, plain http, and old secrets still in use', async () => {
    const { page } = await visit(admin, '/admin');
    assert.match(page, /Emails aren&#39;t being sent\. They&#39;re collected in the outbox/);
    assert.match(page, /<a href="\/dev\/outbox">Open the outbox<\/a>/);
    const [dates = ''] = /<div class="dates"[^>]*>.*?<\/div>/.exec(page) ?? [];
    assert.match(dates, /><span>\d+ \w+, \d\d:\d\d<\/span><span>\d\d:\d\d<\/span><span>\d+ \w+, \d\d:\d\d<\/span></);
    assert.match(page, /plain HTTP/);
    const client = await register(service, admin, { name: 'Slow to change' });
    const path = `/admin/applications/${client.id}`;
    const { tokens } = await obtainTokens(service, client, await service.newUser(), { scope: 'openid' });
    service.clock.advance(1);
    await send(admin, `${path}/secrets`, `${path}/rotate-secret`);
    assert.doesNotMatch((await visit(admin, '/admin')).page, /Slow to change still uses/);
    // Within the hour in which the old secret still works.
    service.clock.advance(60);
    await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.match((await visit(admin, '/admin')).page, /Slow to change still uses its previous secret/);
    await send(admin, `${path}/retire-secret`, `${path}/retire-secret`);
    assert.doesNotMatch((await visit(admin, '/admin')).page, /Slow to change still uses/);
  });
});
