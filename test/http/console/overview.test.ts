// The overview of the console: its counts and its warnings.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { overview } from '../../../src/operations/events/overview.ts';
import { register, send, visit } from '../../harness/console.ts';
import { Person } from '../../harness/person.ts';
import { obtainTokens, postForm, refreshParameters } from '../../harness/relying-party.ts';
import { startTestService } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';
import { sweep } from '../../harness/sweep.ts';
import { anAuthenticator, anEvent, aUser, someDigests, storedSession } from '../../storage/records.ts';

const HOUR = 60 * 60;

const { service, admin } = consoleOfSuite();

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
      const total = (text: string, name: string) =>
        new RegExp(`<figcaption>(?:<a [^>]*>)?${name}(?:</a>)? <span>(\\d+)</span>`).exec(text)?.[1];
      assert.deepEqual(
        ['Sign-ins', 'Failures', 'Token refreshes'].map((name) => total(page, name)),
        ['2', '1', '3'],
      );
      // Each number is on the page once: the chart is of one period.
      assert.equal(page.match(/<figcaption>/g)?.length, 3);
      assert.match(page, /aria-label="Token refreshes, Last 24 hours: 3 in total, 3 at the peak\."/);
      const tile = (name: string) =>
        new RegExp(`<dt>(<a href="[^"]*">)${name}</a></dt><dd>(\\d+)<`).exec(page)?.slice(1);
      assert.deepEqual(tile('People'), ['<a href="/admin/people">', '3']);
      assert.deepEqual(tile('Signed in, last 30 days'), [
        '<a href="/admin/people?signed_in=30d&amp;sort=-last_sign_in">',
        '2',
      ]);
      assert.deepEqual(tile('Never signed in'), ['<a href="/admin/people?signed_in=never">', '1']);
      assert.deepEqual(tile('No two-step verification'), ['<a href="/admin/people?second_factor=none">', '3']);
      const linked = /<figcaption><a href="([^"]*)">/g;
      const lists = [...page.matchAll(linked)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
      assert.deepEqual(lists, ['/admin/events?kind=signed_in&range=24h', '/admin/events?failures=yes&range=24h']);
      for (const [index, href] of lists.entries()) {
        const { page: list } = await visit(browser, href);
        assert.equal(list.match(/<tr id=/g)?.length, [2, 1][index]);
      }
      const [row = ''] = /Counted<\/a><\/th>.*/.exec(page) ?? [];
      assert.deepEqual(
        [...row.matchAll(/<td class="number" data-label="[^"]+"><span class="off-phone">(\d+)</g)].map(([, n]) => n),
        ['1', '3', '0'],
      );
      // A day later the last 24 hours are empty, and the last 30 days are not.
      fresh.clock.advance(25 * HOUR);
      const later = await (await browser.visit('/admin')).text();
      assert.match(later, /Token refreshes, Last 24 hours: 0 in total/);
      const [, month = ''] = /<a class="chip" href="([^"]*)">Last 30 days<\/a>/.exec(later) ?? [];
      const days = await (await browser.visit(month)).text();
      assert.match(days, /Token refreshes, Last 30 days: 3 in total/);
      assert.match(days, /href="\/admin\/events\?failures=yes&amp;range=30d"/);
    } finally {
      await fresh.stop();
    }
  });

  test('each number of people leads to a list of as many', async () => {
    const fresh = await startTestService();
    try {
      const { storage } = fresh.running.services;
      const boss = await fresh.newUser({ admin: true });
      const browser = new Person(fresh);
      await browser.signIn(boss);
      const now = fresh.clock.now();
      const signedIn = async (days: number) => {
        const user = aUser();
        await storage.createUser(user, anEvent());
        await storedSession(storage, user, { createdAt: now - days * 24 * HOUR * 1000 });
        return user;
      };
      const gone = await signedIn(1);
      await storage.disableUser(gone.id, now, anEvent());
      // At the edge, within a minute and beyond it.
      await signedIn(30 - 1 / 1440);
      const safe = await signedIn(30 + 1 / 1440);
      await storage.enableAuthenticator(safe.id, anAuthenticator(), someDigests(), now, anEvent());
      for (let made = 0; made < 2; made++) await storage.createUser(aUser(), anEvent());
      const { page } = await visit(browser, '/admin');
      const tiles = [...page.matchAll(/<dt><a href="([^"]*)">([^<]*)<\/a><\/dt><dd>(\d+)</g)].map(
        ([, href = '', label, value]) => ({ href: href.replaceAll('&amp;', '&'), label, value }),
      );
      assert.deepEqual(
        tiles.map(({ label, value }) => [label, value]),
        [
          ['People', '6'],
          ['Signed in, last 30 days', '3'],
          ['Never signed in', '2'],
          ['No two-step verification', '5'],
          ['Inactive for 90 days', '4'],
        ],
      );
      for (const { href, value } of tiles) {
        const { page: list } = await visit(browser, href);
        assert.match(list, new RegExp(`<p class="pager-alone">1–${value} of ${value}<`));
      }
    } finally {
      await fresh.stop();
    }
  });

  test('says how many of many people there are as the sweep has counted them', async () => {
    const fresh = await startTestService();
    try {
      const [many, now] = [10_005, fresh.clock.now()];
      await fresh.execute(`INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at, last_active_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})
        SELECT 'u' || i, 'u' || i, 'u' || i, 'Ada', '', 0, ${now}, ${now}, CASE WHEN i <= 7 THEN ${now} END FROM n`);
      const counted = async () => (await overview(fresh.running.services)).users;
      const counts = (all: number, active: number) => ({ all, active, neverSignedIn: all, withoutFactor: all });
      // The reads of one turn see the same.
      await setImmediate();
      const without = async (number: number) => {
        await fresh.execute(`DELETE FROM users WHERE id = 'u${number}'`);
        await setImmediate();
      };
      assert.deepEqual(await counted(), counts(many, 7), 'before the first sweep');
      await sweep(fresh, 'test');
      await without(1);
      assert.deepEqual(await counted(), counts(many, 7));
      await sweep(fresh, 'test');
      assert.deepEqual(await counted(), counts(many - 1, 6));
      await without(2);
      fresh.clock.advance(5 * 60);
      assert.deepEqual(await counted(), counts(many - 2, 5), 'without a sweep for five minutes');
    } finally {
      await fresh.stop();
    }
  });

  test('says which time zone its times are in, and that days are in UTC', async () => {
    await service.newClient();
    const { page } = await visit(admin, '/admin');
    assert.match(page, /<p class="hint" data-zone="Times are in your time zone \(%s\)\.">Times are in UTC\.<\/p>/);
    assert.match(page, /<time datetime="[^"]+:00:00\.000Z" data-time="hour">\d+ \w+ at \d\d:00 UTC<\/time>/);
    const month = await visit(admin, '/admin?period=30d');
    assert.match(month.page, /Days begin and end in UTC\./);
    assert.doesNotMatch(month.page, /data-zone/);
  });

  test('warns about a missing mail server, plain http, and old secrets still in use', async () => {
    await send(admin, '/admin', '/admin/settings/first-steps');
    const { page } = await visit(admin, '/admin');
    assert.match(page, /Emails aren&#39;t being sent\. They&#39;re collected in the outbox/);
    assert.match(page, /<a href="\/dev\/outbox">Open the outbox<\/a>/);
    const [dates = ''] = /<div class="dates"[^>]*>.*?<\/div>/.exec(page) ?? [];
    assert.match(
      dates,
      /^<div [^>]*>(<span><time [^>]*data-time="(short|clock)">(\d+ \w+, )?\d\d:\d\d UTC<\/time><\/span>){3}</,
    );
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
