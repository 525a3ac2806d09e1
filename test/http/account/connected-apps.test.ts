// /account/apps, and the logos of applications.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateClient } from '../../../src/operations/clients/clients.ts';
import { png } from '../../harness/account.ts';
import { formIn, Person } from '../../harness/person.ts';
import {
  authorizePath,
  newVerifier,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../../harness/relying-party.ts';
import { requester, startTestService } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const service = serviceOfSuite();

const DAY = 24 * 60 * 60;

test('the page needs a session', async () => {
  const person = new Person(service);
  const response = await person.request('/account/apps');
  assert.equal(response.status, 302);
  assert.equal(response.headers.get('location'), '/sign-in?to=/account/apps');
  const user = await service.newUser();
  const form = await formIn(await person.visit('/account/apps'));
  const page = await person.submit(form, { email: user.email, password: user.password });
  assert.match(await page.text(), /No connected apps/);
});

test('an application is listed with its scopes, since when, and its last use', async () => {
  const user = await service.newUser();
  const client = await service.newClient({ name: 'Calendar' });
  const { person, tokens } = await obtainTokens(service, client, user, { scope: 'openid email' });
  const since = new Date(service.clock.now());
  const day = (date: Date) =>
    new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(date);
  let page = await (await person.visit('/account/apps')).text();
  assert.match(page, /Calendar/);
  assert.match(page, /your identity and your email address/);
  assert.ok(page.includes(day(since)));
  assert.match(page, />Today UTC</);

  service.clock.advance(2 * DAY);
  await person.signIn(user);
  await service.running.services.journal.flush();
  page = await (await person.visit('/account/apps')).text();
  assert.equal(page.match(new RegExp(day(since), 'g'))?.length, 2, 'last used on the first day');
  const fresh = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
  await userinfo(service, fresh.body.access_token);
  await service.running.services.journal.flush();
  page = await (await person.visit('/account/apps')).text();
  assert.match(page, />Today UTC</);
});

test('with LATCHKEY_LAST_USED_HOURS, a use is noted again after so many hours', async (t) => {
  const patient = await startTestService({ LATCHKEY_LAST_USED_HOURS: '24' });
  t.after(() => patient.stop());
  const client = await patient.newClient();
  const { tokens } = await obtainTokens(patient, client, await patient.newUser());
  const began = patient.clock.now();
  for (const [hours, noted] of [
    [23, began],
    [1, began + DAY * 1000],
  ] as const) {
    patient.clock.advance(hours * 3600);
    assert.equal(
      (await postForm(patient, '/oauth/token', refreshParameters(client, tokens.refresh_token))).status,
      200,
    );
    await patient.running.services.journal.flush();
    const used = [...(await patient.rows('grants')), ...(await patient.rows('consents'))];
    assert.deepEqual(
      used.map((row) => Number(row.last_used_at)),
      [noted, noted],
    );
  }
});

test('each button removes only its own application', async () => {
  const user = await service.newUser();
  const one = await service.newClient({ name: 'One' });
  const two = await service.newClient({ name: 'Two' });
  const { person } = await obtainTokens(service, one, user);
  await person.authorize(authorizePath(two, newVerifier()), user);
  const form = await formIn(await person.visit('/account/apps'), '/account/apps');
  assert.deepEqual(
    new Set(form.buttons.map((button) => `${button.name}=${button.value}`)),
    new Set([`remove=${one.id}`, `remove=${two.id}`]),
  );
  const page = await (await person.submit(form, { remove: one.id })).text();
  assert.equal(page.includes('One'), false);
  assert.ok(page.includes('Two'));
  const again = await (await person.submit(form, { remove: one.id })).text();
  assert.match(again, /was already disconnected/);
});

test('people only see and remove their own applications', async () => {
  const client = await service.newClient();
  const { tokens } = await obtainTokens(service, client, await service.newUser());
  const stranger = await obtainTokens(service, client, await service.newUser());
  const form = await formIn(await stranger.person.visit('/account/apps'), '/account/apps');
  await stranger.person.submit(form, { remove: client.id });
  assert.equal((await userinfo(service, tokens.access_token)).status, 200);
});

test('a logo is stored, shown on pages, and served only as an image', async () => {
  const user = await service.newUser();
  const client = await service.newClient({ name: 'Pictured', logo: png });
  const person = new Person(service);
  await person.signIn(user);
  const page = await (await person.visit(authorizePath(client, newVerifier()))).text();
  const [, source = ''] = /<img class="app-icon" src="([^"]+)"/.exec(page) ?? [];
  const logo = await fetch(service.url + source);
  assert.equal(logo.status, 200);
  assert.equal(logo.headers.get('content-type'), 'image/png');
  assert.equal(logo.headers.get('x-content-type-options'), 'nosniff');
  assert.match(logo.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.deepEqual(Buffer.from(await logo.arrayBuffer()), png);
  await updateClient(service.running.services, client.id, { logo: null }, requester);
  assert.equal((await fetch(service.url + source)).status, 404);
  assert.match(
    await (await person.visit(authorizePath(client, newVerifier()))).text(),
    /monogram" aria-hidden="true">P</,
  );
});

test("files that aren't images are refused", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  for (const bytes of [svg, `<?xml version="1.0"?>${svg}`, 'GIF89a', '', '<html>', '\ufeff<svg/>']) {
    await assert.rejects(service.newClient({ logo: Buffer.from(bytes) }), /not a PNG, JPEG or WebP/, bytes);
  }
  await assert.rejects(service.newClient({ logo: Buffer.concat([png, Buffer.alloc(512 * 1024)]) }), /larger than 512/);
});
