// What emails say and where their links lead, when a stranger has chosen the text, the address or the Host header.

import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { changeSettings } from '../../src/operations/settings/change-settings.ts';
import { inviteUser } from '../../src/operations/users/invitations.ts';
import { createUser } from '../../src/operations/users/users.ts';
import { signedIn } from '../harness/account.ts';
import { newKey } from '../harness/api.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { passkeyForm } from '../harness/passkeys.ts';
import { formIn, Person } from '../harness/person.ts';
import { sendRaw } from '../harness/raw-request.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import { post } from '../harness/second-factors.ts';
import { requester, startTestService, type TestService } from '../harness/service.ts';
import { newAddress } from '../harness/sign-up.ts';
import { type Challenge, SoftwareAuthenticator } from '../harness/software-authenticator.ts';
import { attack } from './attack.ts';

let server: MailServer;
let service: TestService;

before(async () => {
  server = await startMailServer();
  service = await startTestService({
    LATCHKEY_SIGN_UP: 'open',
    LATCHKEY_SMTP_URL: server.url,
    LATCHKEY_MAIL_FROM: 'Latchkey <latchkey@example.test>',
    LATCHKEY_TRUST_PROXY: '127.0.0.1, ::1',
  });
});
after(async () => {
  await service?.stop();
  await server?.stop();
});
beforeEach(() => service.clock.advance(16 * 60));

attack(17, 'no header changes where links, redirects and the issuer point to', async () => {
  const client = await service.newClient();
  const evil = [
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: gopher',
    'X-Forwarded-Port: 99',
    'X-Original-Host: evil.example',
    'Forwarded: host=evil.example;proto=gopher',
    'X-Forwarded-Server: evil.example',
    'X-Host: evil.example',
  ];
  const paths = [
    '/.well-known/openid-configuration',
    '/account',
    '/sign-in',
    '/reset-password',
    '/sign-up',
    '/docs',
    '/api/openapi.json',
    authorizePath(client, newVerifier()),
    authorizePath(client, newVerifier()).replace('authorize?', 'authorize.php?'),
    authorizePath(client, newVerifier(), { prompt: 'none' }),
  ];
  for (const path of paths) {
    for (const [target, host] of [
      [path, 'evil.example'],
      [path, 'localhost:1@evil.example'],
      [`http://evil.example${path}`, 'evil.example'],
    ] as const) {
      const { status, text } = await sendRaw(service, { line: `GET ${target}`, host, headers: evil });
      assert.ok(status >= 200 && status < 500, `${target}: ${status}`);
      assert.doesNotMatch(text, /evil\.example|gopher/, `${target} as ${host}`);
    }
  }
  const person = new Person(service);
  const headers = { 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example', 'X-Forwarded-Proto': 'https' };
  const email = newAddress();
  const user = await service.newUser();
  await person.submit(await formIn(await person.visit('/sign-up'), '/sign-up'), { email }, headers);
  await person.submit(
    await formIn(await person.visit('/reset-password'), '/reset-password'),
    { email: user.email },
    headers,
  );
  for (const to of [email, user.email]) {
    const { link, raw } = await server.next(to, /./);
    assert.ok(link.startsWith(`${service.url}/`), link);
    assert.doesNotMatch(raw, /evil/);
  }
});

const hostileNames = [
  'Ada\r\nBcc: victim@example.test',
  'Ada\nSubject: You won',
  '=?utf-8?q?=0d=0aBcc:_victim@example.test?=',
  '<a href="https://evil.example">Click here</a>',
  '<img src=x onerror=alert(1)>',
  '\u202etset.elpmaxe@adA',
  'Ada, https://evil.example/verify',
  'Ada" <victim@example.test>, "',
  `${'Ä'.repeat(100)}`,
];

attack(18, 'text by strangers adds no header, recipient, link or markup to an email', async () => {
  const { services } = service.running;
  let sent = 0;
  for (const name of hostileNames) {
    const created = await createUser(
      services,
      { email: newAddress(), name, admin: true, emailVerified: true, password: 'correct horse battery' },
      requester,
    );
    if (created.kind === 'refused') continue;
    const guest = newAddress();
    const invited = { email: guest, name };
    await inviteUser(services, invited, { ...requester, actor: { kind: 'administrator', id: created.user.id } });
    const { raw, html, subject, text } = await server.next(guest, /./);
    sent += 1;
    const [head = ''] = raw.split('\r\n\r\n');
    const names = head.split(/\r\n(?![ \t])/).map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
    assert.equal(new Set(names).size, names.length, name);
    assert.ok(!names.includes('bcc') && !names.includes('cc'), name);
    assert.match(head, new RegExp(`^To: ${guest}$`, 'm'));
    assert.doesNotMatch(subject, /[\r\n]/);
    assert.doesNotMatch(html, /<a href="https:\/\/evil|<img src=x/, name);
    assert.doesNotMatch(text + html + subject, /\u202e/);
    for (const line of raw.split('\r\n')) assert.ok(line.length <= 998, `${line.length}`);
  }
  assert.ok(sent >= 4, `${sent}`);

  // The name of a device, and of the service: what an administrator wrote may still be no markup.
  const link = '<a href="https://evil.example">';
  await changeSettings(services, { service_name: `${link}x</a>` }, requester);
  const user = await service.newUser();
  const person = await signedIn(service, user);
  for (const [index, name] of hostileNames.entries()) {
    const form = await passkeyForm(person);
    const asked = { ...form, fields: { ...form.fields, name } };
    const options = await post(person, `${form.action}/options`, asked.fields);
    if (!options.ok) continue;
    const challenge = (await options.json()) as Challenge;
    const answer = new SoftwareAuthenticator(service.url).create(challenge);
    await post(person, form.action, { ...asked.fields, answer, challenge: challenge.challenge });
    const { raw, html, text } = await server.next(user.email, /./);
    assert.doesNotMatch(html, /<a href="https:\/\/evil|<img src=x/, `${index}`);
    assert.doesNotMatch(text + html, /\u202e/);
    assert.doesNotMatch(raw.split('\r\n\r\n')[0] ?? '', /^(Bcc|Cc):/im);
  }
  await changeSettings(services, { service_name: '' }, requester);
  assert.ok(server.received.every(({ to }) => to !== 'victim@example.test'));
  for (const setting of ['Latch\r\nBcc: x@example.test', 'Latch\u0000key']) {
    const { headers } = await newKey(service, 'administrator');
    const init = { method: 'PATCH', headers: { ...headers('PATCH'), 'Content-Type': 'application/json' } };
    const answer = await fetch(`${service.url}/api/settings`, {
      ...init,
      body: JSON.stringify({ service_name: setting }),
    });
    assert.equal(answer.status, 400);
  }
});

/** Each becomes another address, or none, once somebody normalizes it. */
const misleading = [
  'a＠evil.com@victim.com',
  'a﹫evil.com@victim.com',
  'a，b@c.de',
  'a；b@c.de',
  'a：b@c.de',
  'a＜b＞@c.de',
  'a＂b@c.de',
  'a＼b@c.de',
  'a\u3000b@c.de',
  'a@127.1',
  'a@127.0.0.1',
  'a@0x7f.1',
  'a@2130706433',
  'a@[127.0.0.1]',
  'a@[::1]',
  'a@c.de.',
  'a@evil.com@victim.com',
  'a@c.de\r\nBcc: b@c.de',
  'a@c.de, b@c.de',
  '"a@c.de"@evil.com',
  'a@c.de\u0000',
];

attack(19, 'an address that reads differently once it is normalized is no address', async () => {
  const { headers } = await newKey(service, 'administrator');
  const accepted: string[] = [];
  const init = { method: 'POST', headers: { ...headers('POST'), 'Content-Type': 'application/json' } };
  for (const email of misleading) {
    const person = new Person(service);
    const signUp = await person.submit(await formIn(await person.visit('/sign-up'), '/sign-up'), { email });
    if (signUp.status < 400) accepted.push(`${email} signs up`);
    for (const path of ['/api/people', '/api/people/invitations']) {
      const body = JSON.stringify({ email, name: 'Ada' });
      if ((await fetch(service.url + path, { ...init, body })).ok) accepted.push(`${email} at ${path}`);
    }
    const body = JSON.stringify({ from: 'csv', people: [{ email }] });
    const imported = await fetch(`${service.url}/api/people/import`, { ...init, body });
    if (/"imported":1/.test(await imported.text())) accepted.push(`${email} is imported`);
  }
  assert.deepEqual(accepted, []);
});
