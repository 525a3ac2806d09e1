// Downloading everything the service keeps about a user, and deleting the account.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { newCompleteUser } from '../../harness/account.ts';
import { formIn, Person } from '../../harness/person.ts';
import { exchangeParameters, postForm, refreshParameters, userinfo } from '../../harness/relying-party.ts';
import { type TestClient, tables } from '../../harness/service.ts';
import { mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const session = 'latchkey_session';

const service = serviceOfSuite();
let client: TestClient;

before(async () => {
  client = await service.newClient();
});
// Emails and attempts are limited: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * MINUTE));

describe('the data download', () => {
  test('has everything about the person, no secrets, and nothing about others', async () => {
    const { user, person, other, tokens, passkey, link, code } = await newCompleteUser(service, client);
    const neighbour = await newCompleteUser(service, client);
    const download = await person.request('/account/data.json');
    assert.equal(download.status, 200);
    assert.match(download.headers.get('content-disposition') ?? '', /^attachment; filename="latchkey-account\.json"$/);
    assert.equal(download.headers.get('cache-control'), 'no-store');
    const text = await download.text();
    const data = JSON.parse(text);
    assert.equal(data.account.email, user.email);
    assert.equal(data.connected_apps[0].client_id, client.id);
    assert.equal(data.sessions.length, 2);
    assert.deepEqual(
      [data.second_factors.passkeys[0].name, data.second_factors.recovery_codes_left],
      [passkey.name, 2],
    );
    assert.ok(data.activity.some(({ kind }: { kind: string }) => kind === 'signed_in'));

    const secretColumn = /digest|hash|sealed|secret|public_key|counter$/;
    let compared = 0;
    for (const table of tables) {
      for (const row of await service.rows(table)) {
        for (const [column, value] of Object.entries(row)) {
          if (!secretColumn.test(column) || typeof value !== 'string' || value.length < 20) continue;
          assert.equal(text.includes(value), false, `${table}.${column}`);
          compared++;
        }
      }
    }
    assert.ok(compared > 30, `${compared} values were compared`);
    const held = [tokens.access_token, tokens.refresh_token, link, code, ...person.cookies.values()];
    for (const secret of [...held, ...other.cookies.values()]) assert.equal(text.includes(secret), false);
    for (const theirs of [neighbour.user.id, neighbour.user.email]) assert.equal(text.includes(theirs), false);
    assert.equal((await new Person(service).request('/account/data.json')).status, 302);
  });
});

describe('deleting the account', () => {
  test('removes the person everywhere except in events, and ends all access at once', async () => {
    const { user, person, other, tokens, code, verifier } = await newCompleteUser(service, client);
    const picture = String((await userinfo(service, tokens.access_token)).body.picture);
    const neighbour = await newCompleteUser(service, client);
    service.clock.advance(1);
    const data = await person.visit('/account/delete');
    assert.match(await data.clone().text(), new RegExp(`<h1>Delete the account ${user.email}\\?</h1>`));
    const form = await formIn(data, '/account/delete');
    const page = await person.submit(form, {});
    assert.equal(page.status, 200);
    assert.match(await page.text(), /Account deleted/);
    assert.equal(person.cookies.has(session), false);

    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.equal(refreshed.body.error, 'invalid_grant');
    const exchanged = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
    assert.equal(exchanged.body.error, 'invalid_grant');
    assert.equal((await other.request('/account')).status, 302);
    assert.equal((await fetch(picture)).status, 404);
    assert.equal((await new Person(service).signIn(user)).status, 400);

    await service.running.services.journal.flush();
    for (const table of tables.filter((name) => name !== 'events')) {
      for (const row of await service.rows(table)) {
        const text = JSON.stringify(row);
        assert.equal(text.includes(user.id) || text.includes(user.email), false, `${table}: ${text}`);
      }
    }
    const events = await service.events();
    assert.ok(events.some(({ kind, userId }) => kind === 'account_deleted' && userId === user.id));
    assert.equal(JSON.stringify(events).includes(user.email), false);
    assert.match((await mailsTo(service, user.email))[0]?.subject ?? '', /Your account was deleted/);

    assert.equal((await userinfo(service, neighbour.tokens.access_token)).status, 200, 'others stay');
    assert.equal((await neighbour.person.request('/account')).status, 200);
    const again = await service.newUser({ email: user.email });
    assert.notEqual(again.id, user.id, 'the address is free, the account is another');
  });
});
