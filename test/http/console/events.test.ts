// Events in the console: finding them, and how a failure explains itself.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deleteUser } from '../../../src/operations/users/disable-user.ts';
import { english } from '../../../src/pages/languages/languages.ts';
import { type EventKind, eventKinds } from '../../../src/protocol/events/kinds.ts';
import { alertOn, clientSettings, noticeOn, register, send, visit } from '../../harness/console.ts';
import { Person, readForm } from '../../harness/person.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  obtainCode,
  obtainTokens,
  postForm,
} from '../../harness/relying-party.ts';
import { requester } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const HOUR = 60 * 60;

const { service, administrator, admin, signInAgain } = consoleOfSuite();

describe('events', () => {
  const itemsOn = (page: string) => page.split('<tr id=').slice(1);
  const choicesOn = (page: string) => {
    const chooser = /<div class="chooser">[\s\S]*?<\/div>/.exec(page)?.[0] ?? '';
    return [...chooser.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '');
  };

  test('somebody who is deleted is a deleted person, whose ID leads to all of their events', async () => {
    const { id } = await service.newUser({ name: 'Soon gone' });
    const [created] = (await service.events('user_created')).slice(-1);
    await deleteUser(service.running.services, { id }, requester);
    const { page } = await visit(admin, `/admin/events?reference=${created?.id}`);
    const link = new RegExp(`<a href="(/admin/events[?]person=${id})" title="${id}">Deleted person</a>`);
    const [, href = ''] = link.exec(page) ?? [];
    assert.equal(itemsOn((await visit(admin, href)).page).length, 2);
  });

  test('they can be filtered by person, application, kind, time and reference', async () => {
    const client = await service.newClient({ name: 'Filtered' });
    const user = await service.newUser({ name: 'Filtered person' });
    const other = await service.newUser();
    await obtainTokens(service, client, user);
    await obtainTokens(service, client, other);
    const count = async (query: string) => itemsOn((await visit(admin, `/admin/events?${query}`)).page).length;
    assert.equal(await count(`application=${client.id}&kind=code_exchanged`), 2);
    assert.equal(await count(`person=${encodeURIComponent(user.email)}&kind=code_exchanged`), 1);
    assert.equal(await count(`person=${user.id}&kind=signed_in`), 1);
    const today = new Date(service.clock.now()).toISOString().slice(0, 10);
    const longAgo = '2001-01-01';
    assert.equal(await count(`application=${client.id}&since=${today}&until=${today}&kind=approved`), 2);
    assert.equal(await count(`application=${client.id}&since=${longAgo}&until=${longAgo}`), 0);
    const [exchanged] = (await service.events('code_exchanged')).slice(-1);
    assert.equal(await count(`reference=${exchanged?.requestId}`), 1);
    const { page } = await visit(admin, '/admin/events?since=yesterday');
    assert.match(page, /Enter a valid date/);
    for (const hint of [/The beginning of a name is enough\./, /Part of a name is enough\./]) assert.match(page, hint);
    assert.equal((await visit(admin, '/admin/events?kind=nonsense')).status, 400);
    assert.match((await visit(admin, `/admin/events?person=nobody@nowhere.example`)).page, /There is no person/);
    assert.match((await visit(admin, '/admin/events?application=Nowhere')).page, /There is no application/);
  });

  test('the application filter also takes a name, and finds all applications with it', async () => {
    const [first, second, longer] = [
      await service.newClient({ name: 'Namesake app' }),
      await service.newClient({ name: 'Namesake app' }),
      await service.newClient({ name: 'Namesake app two' }),
    ];
    const { journal } = service.running.services;
    for (const { id } of [first, second, longer]) journal.note({ kind: 'token_revoked', clientId: id }, requester);
    const count = async (application: string) => {
      const query = new URLSearchParams({ application, kind: 'token_revoked' });
      return itemsOn((await visit(admin, `/admin/events?${query}`)).page).length;
    };
    assert.deepEqual(
      [await count(' NAMESAKE app '), await count('Namesake app two'), await count('namesa')],
      [2, 1, 3],
    );
    assert.equal(await count(first.id), 1);
  });

  test('a name shared by too many applications or people is refused, so no event is silently left out', async () => {
    const { journal } = service.running.services;
    for (let made = 1; made <= 11; made++) {
      const { id } = await service.newClient({ name: `Crowded app ${made}` });
      journal.note({ kind: 'token_revoked', clientId: id }, requester);
      await service.newUser({ name: `Crowded person ${made}` });
    }
    const refusals = [
      ['application', 'More than 10 applications match. Type more of the name.'],
      ['person', 'More than 10 people match. Type more of the name.'],
    ] as const;
    for (const [name, sentence] of refusals) {
      const { page } = await visit(admin, `/admin/events?${name}=crowded`);
      assert.equal(choicesOn(page).length, 10);
      assert.ok(page.includes(sentence));
      assert.equal(itemsOn(page).length, 0);
      assert.doesNotMatch(page, /No matching events/);
      const file = await visit(admin, `/admin/events.csv?${name}=crowded`);
      assert.deepEqual([file.status, alertOn(file.page)], [400, sentence]);
    }
    const exact = await visit(admin, '/admin/events?application=Crowded+app+1&kind=token_revoked');
    assert.equal(itemsOn(exact.page).length, 1, 'a whole name is clear, even if longer ones begin with it');
    const { id } = await service.newClient({ name: 'Crowded' });
    journal.note({ kind: 'token_revoked', clientId: id }, requester);
    const whole = await visit(admin, '/admin/events?application=crowded&kind=token_revoked');
    assert.equal(itemsOn(whole.page).length, 1);
  });

  test('an ambiguous or unknown person is refused, on the page and for downloads', async () => {
    const users = [await service.newUser({ name: 'Ada Lovelace' }), await service.newUser({ name: 'Ada Byron' })];
    const unclear = await visit(admin, '/admin/events?person=ada');
    const sentence = 'Several people match “ada”. Which one do you mean?';
    assert.ok(unclear.page.includes(sentence));
    assert.deepEqual(
      choicesOn(unclear.page).toSorted(),
      users.map(({ id }) => `/admin/events?person=${id}`).toSorted(),
    );
    assert.doesNotMatch(unclear.page, /No matching events|events\.csv/);
    const nobody = await visit(admin, '/admin/events?person=zzzz');
    assert.deepEqual([nobody.status, alertOn(nobody.page)], [400, 'No person matches “zzzz”.']);
    assert.doesNotMatch(nobody.page, /No matching events/);
    const deleted = await visit(admin, `/admin/events?person=${'0'.repeat(26)}`);
    assert.deepEqual([deleted.status, /No matching events/.test(deleted.page)], [200, true]);
    const downloads = [
      ['person=ada', sentence],
      ['person=zzzz', 'No person matches “zzzz”.'],
      ['since=yesterday', 'Enter a valid date.'],
      ['kind=nonsense', 'There is no kind of event &quot;nonsense&quot;.'],
    ];
    for (const [query, expected] of downloads) {
      for (const ending of ['csv', 'jsonl']) {
        const file = await visit(admin, `/admin/events.${ending}?${query}`);
        assert.deepEqual([file.status, alertOn(file.page)], [400, expected]);
        assert.ok(file.page.includes(`href="/admin/events?${query}"`), 'the list with the same filter');
      }
    }
  });

  test('a time range counts back from now, to the second, and can be removed', async () => {
    const { journal } = service.running.services;
    const client = await service.newClient({ name: 'Ranged' });
    journal.note({ kind: 'token_revoked', clientId: client.id }, requester);
    await journal.flush();
    service.clock.advance(2 * HOUR);
    journal.note({ kind: 'token_revoked', clientId: client.id }, requester);
    await journal.flush();
    service.clock.advance(23 * HOUR);
    await signInAgain();
    const path = `/admin/events?application=${client.id}&kind=token_revoked`;
    const all = await visit(admin, path);
    const link = /href="([^"]*)"[^>]*>Last 24 hours</.exec(all.page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    assert.equal(link, `${path}&range=24h`);
    const day = await visit(admin, link);
    assert.deepEqual([itemsOn(all.page).length, itemsOn(day.page).length], [2, 1]);
    const chip = /<a class="chip" href="([^"]*)" aria-current="true">Last 24 hours/.exec(day.page)?.[1];
    assert.equal(chip?.replaceAll('&amp;', '&'), path);
    assert.equal(readForm(day.page, '/admin/events', 'get')?.fields.range, '24h', 'more filters keep it');
    assert.match(day.page, /From \(UTC\)[\s\S]*To \(UTC\)/);
    assert.equal(itemsOn((await visit(admin, `${path}&range=7d`)).page).length, 2);
    const longAgo = await visit(admin, `${link}&since=2001-01-01`);
    assert.equal(itemsOn(longAgo.page).length, 1, 'both a range and a date count');
    const file = await admin.request(link.replace('/admin/events?', '/admin/events.csv?'));
    assert.equal((await file.text()).trimEnd().split('\r\n').length, 2);
    const invalid = await visit(admin, '/admin/events?range=1y');
    assert.deepEqual([invalid.status, alertOn(invalid.page)], [400, 'Choose one of the time ranges.']);
  });

  test('the failures filter works for one application or all, in pages', async () => {
    const client = await service.newClient({ name: 'Failing' });
    const { tokens } = await obtainTokens(service, client, await service.newUser());
    const wrong = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: client.id };
    await postForm(service, '/oauth/token', { ...wrong, client_secret: 'wrong' });
    await postForm(service, '/oauth/token', { ...wrong, client_secret: client.secret, refresh_token: 'x' });
    const { page } = await visit(admin, '/admin/events?application=failing&failures=yes');
    const kinds = itemsOn(page).map((item) => /<summary>([^<]*)</.exec(item)?.[1]);
    assert.deepEqual(kinds, ['Token refresh refused', 'Client authentication failed']);
    assert.match(page, /name="failures" type="checkbox" value="yes" checked/);
    const all = itemsOn((await visit(admin, '/admin/events?failures=yes')).page);
    assert.ok(all.length >= 2);
    for (const item of all) assert.doesNotMatch(item, /<summary>(Signed in|Access granted|Code exchanged)</);
    const none = await visit(admin, `/admin/events?application=${client.id}&failures=yes&kind=approved`);
    assert.equal(itemsOn(none.page).length, 0);

    const { journal } = service.running.services;
    for (let made = 0; made < 60; made++) {
      journal.note({ kind: made % 2 === 0 ? 'exchange_refused' : 'refresh_refused', clientId: client.id }, requester);
    }
    const ids: (string | undefined)[] = [];
    for (let path: string | undefined = `/admin/events?application=${client.id}&failures=yes`; path; ) {
      const shown: string = (await visit(admin, path)).page;
      ids.push(...itemsOn(shown).map((item) => /^"(\w+)"/.exec(item)?.[1]));
      path = /href="([^"]*)" rel="next"/.exec(shown)?.[1]?.replaceAll('&amp;', '&');
    }
    assert.equal(new Set(ids).size, 62);
    assert.deepEqual(ids, ids.toSorted().toReversed(), 'newest first');
  });

  test('the failures of a person are looked for once, not once for each kind of failure', async (context) => {
    const user = await service.newUser();
    const visitor = new Person(service);
    await visitor.signIn({ ...user, password: 'wrong' });
    await visitor.signIn(user);
    const { storage } = service.running.services;
    const found = context.mock.method(storage, 'findEvents');
    const { page } = await visit(admin, `/admin/events?person=${user.id}&failures=yes`);
    assert.deepEqual(
      itemsOn(page).map((item) => /<summary>([^<]*)</.exec(item)?.[1]),
      ['Sign-in failed'],
    );
    assert.equal(found.mock.callCount(), 1);
    const counted = context.mock.method(storage, 'countEvents');
    const totalOf = async (query: string) => {
      const response = await admin.request(`/api/events?person=${user.id}&total=yes&limit=1&${query}`);
      return /"total":\{"count":(\d+),"more":false\}/.exec(await response.text())?.[1];
    };
    assert.equal(await totalOf('failures=yes'), '1');
    assert.equal(counted.mock.callCount(), 0, 'a list of one page is counted already');
    assert.equal(await totalOf(''), '3');
    const none = await visit(admin, `/admin/events?person=${user.id}&failures=yes&kind=signed_in`);
    assert.equal(itemsOn(none.page).length, 0);
  });

  test('pages link to older ones, and no event is listed twice', async () => {
    const client = await service.newClient();
    for (let made = 0; made < 60; made++) {
      service.running.services.journal.note({ kind: 'token_revoked', clientId: client.id }, requester);
    }
    const ids: (string | undefined)[] = [];
    for (let path: string | undefined = `/admin/events?application=${client.id}&kind=token_revoked`; path; ) {
      const { page } = await visit(admin, path);
      ids.push(...itemsOn(page).map((item) => /^"(\w+)"/.exec(item)?.[1]));
      path = /href="([^"]*)" rel="next"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
    }
    assert.equal(ids.length, 60);
    assert.equal(new Set(ids).size, 60);
  });

  test('they can be sorted by time in both orders, with pages both ways and the download', async () => {
    const client = await service.newClient({ name: 'Sorted' });
    const { journal } = service.running.services;
    for (let made = 0; made < 120; made++) {
      journal.note({ kind: made % 2 === 0 ? 'exchange_refused' : 'refresh_refused', clientId: client.id }, requester);
      if (made % 40 === 0) service.clock.advance(1);
    }
    const idsOn = (page: string) => itemsOn(page).map((item) => /^"(\w+)"/.exec(item)?.[1] ?? '');
    const linkOn = (page: string, form: RegExp) => form.exec(page)?.[1]?.replaceAll('&amp;', '&');
    const filter = `application=${client.id}&failures=yes`;
    const newest = await visit(admin, `/admin/events?${filter}`);
    const sort = linkOn(newest.page, /<th [^>]*aria-sort="descending"><a href="([^"]*)">Time/);
    assert.equal(sort, `/admin/events?${filter}&sort=at`);
    const pages: string[] = [];
    for (let path: string | undefined = sort; path; path = linkOn(pages.at(-1) ?? '', /href="([^"]*)" rel="next"/)) {
      pages.push((await visit(admin, path)).page);
    }
    const ids = pages.flatMap(idsOn);
    assert.deepEqual([pages.length, ids.length], [3, 120]);
    assert.deepEqual(ids, ids.toSorted(), 'oldest first');
    assert.equal(ids.at(-1), idsOn(newest.page)[0]);
    const [first = '', second = '', third = ''] = pages;
    assert.match(third, /<p>101–120 of 120<\/p>/);
    const back = await visit(admin, linkOn(third, /href="([^"]*)" rel="prev"/) ?? '');
    assert.deepEqual(idsOn(back.page), idsOn(second));
    assert.match(back.page, /<p>51–100 of 120<\/p>/);
    const start = await visit(admin, linkOn(back.page, /href="([^"]*)" rel="prev"/) ?? '');
    assert.deepEqual(idsOn(start.page), idsOn(first));
    assert.equal(linkOn(start.page, /href="([^"]*)" rel="prev"/), undefined);
    const reversed = linkOn(first, /<th [^>]*aria-sort="ascending"><a href="([^"]*)">Time/);
    assert.equal(reversed, `/admin/events?${filter}`);
    assert.equal(readForm(first, '/admin/events', 'get')?.fields.sort, 'at', 'more filters keep the order');

    const download = linkOn(first, /href="([^"]*)" download>CSV/) ?? '';
    const lines = (await (await admin.request(download)).text()).trimEnd().split('\r\n').slice(1);
    assert.deepEqual(
      lines.map((line) => line.split(',')[0]),
      ids,
    );
    const unknown = await visit(admin, '/admin/events?sort=kind');
    assert.deepEqual(
      [unknown.status, alertOn(unknown.page)],
      [400, 'The list can&#39;t be sorted by &quot;kind&quot;.'],
    );
  });

  test('a mismatched redirect URI is shown beside the registered one, with a button to register it', async () => {
    const client = await service.newClient({
      redirectUris: ['https://other.example/', 'https://app.example/callback'],
    });
    const wrong = 'https://app.example/calback';
    const verifier = newVerifier();
    const path = authorizePath(client, verifier, { redirect_uri: wrong });
    const refused = await new Person(service).visit(path);
    assert.equal(refused.status, 400);
    const reference = refused.headers.get('x-request-id') ?? '';
    const events = `/admin/events?reference=${reference}`;
    const { page } = await visit(admin, events);
    assert.match(page, /The redirect URI isn&#39;t registered/);
    assert.match(page, /<code>https:\/\/app\.example\/cal<mark><\/mark>back<\/code>/);
    assert.match(page, /<code>https:\/\/app\.example\/cal<mark>l<\/mark>back<\/code>/);
    const done = await send(admin, events, `/admin/applications/${client.id}/redirect-uris`);
    assert.match(noticeOn(done.page) ?? '', /Redirect URI added/, 'at a host of its own, without a question');
    assert.deepEqual((await service.running.services.storage.findClient(client.id))?.redirectUris, [
      ...client.record.redirectUris,
      wrong,
    ]);
    assert.match((await visit(admin, events)).page, /It&#39;s registered now/);
    assert.equal((await new Person(service).visit(path)).status, 200);
  });

  test('a mismatched post-logout redirect URI is shown and registered the same way', async () => {
    const postLogoutRedirectUris = ['https://app.example/bye'];
    const client = await service.newClient({ name: 'Leaving', postLogoutRedirectUris });
    const action = `/admin/applications/${client.id}/post-logout-redirect-uris`;
    const refuse = async (uri: string) => {
      const path = `/oauth/logout?client_id=${client.id}&post_logout_redirect_uri=${encodeURIComponent(uri)}`;
      const { headers } = await new Person(service).visit(path);
      return `/admin/events?reference=${headers.get('x-request-id')}`;
    };
    const near = await refuse('https://app.example/by');
    const { page } = await visit(admin, near);
    assert.match(page, /Redirect after sign-out refused/);
    assert.match(page, /isn&#39;t among the application&#39;s post-logout redirect URIs/);
    assert.match(page, /<code>https:\/\/app\.example\/by<mark>e<\/mark><\/code>/);
    assert.match(noticeOn((await send(admin, near, action)).page) ?? '', /The next sign-out with it will work/);
    assert.match((await visit(admin, near)).page, /It&#39;s registered now/);

    const far = await refuse('https://evil.example/');
    const asked = await send(admin, far, action);
    assert.match(asked.page, /Leaving doesn&#39;t send people to evil\.example after sign-out yet/);
    const record = await service.running.services.storage.findClient(client.id);
    assert.deepEqual(record?.postLogoutRedirectUris, [...postLogoutRedirectUris, 'https://app.example/by']);
    assert.deepEqual(record?.redirectUris, client.record.redirectUris);
  });

  test('registering a URI on another host needs confirmation', async () => {
    const client = await service.newClient({ name: 'Asked', redirectUris: ['https://app.example/callback'] });
    const uri = 'https://app.example.evil.example/callback';
    await new Person(service).visit(authorizePath(client, newVerifier(), { redirect_uri: uri }));
    const action = `/admin/applications/${client.id}/redirect-uris`;
    const asked = await send(admin, `/admin/events?application=${client.id}&kind=authorization_refused`, action);
    assert.match(asked.page, /Asked has no redirect URI on app\.example\.evil\.example yet/);
    assert.deepEqual(
      (await service.running.services.storage.findClient(client.id))?.redirectUris,
      client.record.redirectUris,
    );
    const form = readForm(asked.page, action);
    assert.ok(form);
    await admin.submit(form, {});
    assert.deepEqual((await service.running.services.storage.findClient(client.id))?.redirectUris, [
      ...client.record.redirectUris,
      uri,
    ]);
  });

  test('any other invalid authorization request is explained, too', async () => {
    const client = await service.newClient();
    const answer = await new Person(service).request(
      authorizePath(client, newVerifier(), { code_challenge: undefined }),
    );
    const { page } = await visit(admin, `/admin/events?reference=${answer.headers.get('x-request-id')}`);
    assert.match(page, /code_challenge/);
  });

  test('an event says who did what', async () => {
    const client = await register(service, admin, { name: 'Before' });
    const path = `/admin/applications/${client.id}`;
    await send(admin, `${path}/settings`, path, { ...clientSettings, name: 'After' });
    const { page } = await visit(admin, `/admin/events?application=${client.id}&kind=client_updated`);
    assert.match(page, /<dt>Changed<\/dt><dd>Name<\/dd>/);
    assert.match(page, /<dt>Name<\/dt><dd>After<\/dd>/);
    assert.match(page, /<dt>Time<\/dt><dd><time datetime="[^"]+" data-time="moment">/, "in the reader's time zone");
    assert.match(
      page,
      new RegExp(`Performed by</dt><dd><a href="/admin/people/${administrator.id}">Margaret Hamilton</a>`),
    );
  });

  test('a flood from one network hides no events about an application', async () => {
    for (let made = 0; made < 2500; made++) {
      const facts = { kind: 'authorization_refused', detail: { reason: 'unknown_client' } } as const;
      service.running.services.journal.noteRateLimited(facts, { address: '203.0.113.9', requestId: 'noise' });
    }
    const client = await service.newClient();
    const answer = await new Person(service).visit(
      authorizePath(client, newVerifier(), { redirect_uri: 'https://x.example/' }),
    );
    const { page } = await visit(admin, `/admin/events?reference=${answer.headers.get('x-request-id')}`);
    assert.match(page, /The redirect URI isn&#39;t registered/);
    const suppressed = await visit(admin, '/admin/events?kind=events_suppressed');
    assert.match(
      suppressed.page,
      /<dt>Event type<\/dt><dd>Authorization refused<\/dd>[\s\S]*<dt>Count<\/dt><dd>2,300<\/dd>/,
    );
  });

  test("a URI that can't be registered shows why, and a hostile one is escaped", async () => {
    const client = await service.newClient();
    const hostile = 'https://a.example/<script>alert(1)</script>';
    await new Person(service).visit(authorizePath(client, newVerifier(), { redirect_uri: hostile }));
    const { page } = await visit(admin, `/admin/events?application=${client.id}&kind=authorization_refused`);
    assert.match(page, /It can&#39;t be added: it has characters that must be percent-encoded/);
    assert.doesNotMatch(page, /<script>alert/);
    assert.equal(readForm(page, `/admin/applications/${client.id}/redirect-uris`), undefined);
  });

  type Spoiled = Record<string, string>;
  const exchanges: [string, (sent: Spoiled) => Spoiled | Promise<Spoiled>, RegExp][] = [
    ['a wrong verifier', () => ({ code_verifier: newVerifier() }), /code_verifier doesn&#39;t match/],
    ['another redirect URI', () => ({ redirect_uri: 'https://b.example/' }), /isn&#39;t the one in the authorization/],
    ['an unknown code', () => ({ code: 'lkc_nothing' }), /The code is unknown/],
    ['a wrong secret', () => ({ client_secret: 'wrong' }), /isn&#39;t one of the application&#39;s secrets/],
    [
      'an expired code',
      () => {
        service.clock.advance(61);
        return {};
      },
      /The code had expired/,
    ],
    [
      'a code that was used',
      async (sent) => {
        await postForm(service, '/oauth/token', sent);
        return {};
      },
      /The code had already been exchanged/,
    ],
    [
      'the code of another application',
      async () => {
        const other = await service.newClient();
        return { client_id: other.id, client_secret: other.secret };
      },
      /The code was issued to another application/,
    ],
  ];
  for (const [name, spoil, sentence] of exchanges) {
    test(`a refused exchange shows the reason: ${name}`, async () => {
      const client = await service.newClient();
      const { code, verifier } = await obtainCode(service, client, await service.newUser());
      const parameters = exchangeParameters(client, code, verifier);
      const refused = await postForm(service, '/oauth/token', { ...parameters, ...(await spoil(parameters)) });
      assert.notEqual(refused.status, 200);
      const { page } = await visit(admin, `/admin/events?reference=${refused.headers.get('x-request-id')}`);
      assert.match(page, sentence);
    });
  }
});

test('no event shows a raw value', async () => {
  const { journal } = service.running.services;
  // What the suite above has not brought about, with every detail that events have.
  const details = { ...Object.fromEntries(Object.keys(english.admin.events.details).map((name) => [name, '1'])) };
  for (const kind of eventKinds) journal.note({ kind, detail: { ...details, reason: 'ECONNREFUSED' } }, requester);
  for (const [name, values] of Object.entries(english.admin.events.values)) {
    for (const value of Object.keys(values))
      journal.note({ kind: 'client_updated', detail: { [name]: value } }, requester);
  }
  for (const [kind, reasons] of Object.entries(english.admin.reasons)) {
    for (const reason of Object.keys(reasons)) journal.note({ kind: kind as EventKind, detail: { reason } }, requester);
  }
  let seen = 0;
  for (let path: string | undefined = '/admin/events'; path; ) {
    const { page } = await visit(admin, path);
    const shown = page.slice(page.indexOf('<tbody>'), page.indexOf('</tbody>'));
    const texts = shown
      .replace(/<code>[^<]*<\/code>/g, '')
      .replace(/<[^>]*>/g, '\n')
      .split('\n')
      .filter(Boolean);
    for (const text of texts) {
      // Explanations name the parameters of OAuth requests, which are called so.
      const words = text.replace(
        /\b(client_(id|secret|secret_post)|code_(verifier|challenge)|redirect_uri|post_logout_redirect_uri|id_token_hint)\b/g,
        '',
      );
      assert.doesNotMatch(words, /\b[a-z]+(_[a-z]+)+\b|\b[a-z]+[A-Z][a-z]+\b/, text);
    }
    seen += page.split('<tr id=').length - 1;
    path = /href="([^"]*)" rel="next"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
  }
  assert.ok(seen > eventKinds.length);
});
