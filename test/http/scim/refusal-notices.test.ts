// Emails to administrators about directories that tried to change someone with a role.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { tellOfRefusals } from '../../../src/operations/scim/refusal-notices.ts';
import { disableUser, makeAdministrator } from '../../../src/operations/users/disable-user.ts';
import { type MailServer, startMailServer } from '../../harness/mail-server.ts';
import { newUserWithRoles } from '../../harness/roles.ts';
import { newDirectory, type TestDirectory } from '../../harness/scim.ts';
import { requester, startTestService, type TestService, type TestUser } from '../../harness/service.ts';
import { mailsTo } from '../../harness/store.ts';
import { sweep } from '../../harness/sweep.ts';
import { startTwoInstances } from '../../harness/two-instances.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const subject = /A directory tried to change someone with an admin role/;

let server: MailServer;
let service: TestService;
let english: TestUser;
let german: TestUser;
let entra: TestDirectory;
let target: string;

async function managedAdministrator(of: TestService, directory: TestDirectory): Promise<string> {
  const id = await directory.create('boss@example.test');
  assert.equal((await makeAdministrator(of.running.services, { id }, requester)).kind, 'done');
  return id;
}

before(async () => {
  server = await startMailServer();
  service = await startTestService({
    LATCHKEY_SMTP_URL: server.url,
    LATCHKEY_MAIL_FROM: 'Latchkey <latchkey@example.test>',
  });
  [english, german] = [await service.newUser({ admin: true }), await service.newUser({ admin: true, locale: 'de' })];
  entra = await newDirectory(service);
  target = await managedAdministrator(service, entra);
});
after(async () => {
  await service?.stop();
  await server?.stop();
});

const leave = (directory: TestDirectory) => directory.patch(target, { op: 'replace', path: 'active', value: false });
const about = (mails: readonly { readonly subject: string }[]) => mails.filter((mail) => subject.test(mail.subject));
const sent = (to: string) => about(server.received.filter((mail) => mail.to === to)).length;
const round = async () => {
  // What is refused at the very moment of an email is in the next one, too.
  service.clock.advance(1);
  await sweep(service, 'test');
  await service.running.services.emailQueue.sendDue();
};

test('without a refusal there is none', async () => {
  await round();
  assert.equal(sent(english.email), 0);
});

test('one says which directory tried it and how often, in the language of each administrator', async () => {
  const gone = await service.newUser({ admin: true });
  await disableUser(service.running.services, { id: gone.id }, requester);
  const helper = await newUserWithRoles(service, ['people']);
  for (let count = 0; count < 3; count++) assert.equal((await leave(entra)).status, 403);
  await service.running.services.journal.flush();
  await round();
  const mail = await server.next(english.email, subject);
  assert.match(mail.text, /Only administrators can change them, so nothing was changed\./);
  assert.match(mail.text, /^- entra: 3$/m);
  assert.equal(mail.link, `${service.baseUrl}/admin/events?kind=scim_refused`);
  assert.equal(mail.text.includes('boss@example.test'), false, 'who it was is for those who see events');
  await server.next(german.email, /Ein Verzeichnis wollte einen Nutzer mit Administrationsrolle ändern/);
  for (const { email } of [gone, helper]) assert.equal(sent(email), 0);
});

test('there is one a day, with what was refused since the last', async () => {
  assert.equal((await leave(entra)).status, 403);
  service.clock.advance(DAY / 2);
  assert.equal((await leave(entra)).status, 403);
  await service.running.services.journal.flush();
  await round();
  assert.equal(sent(english.email), 1);
  service.clock.advance(DAY / 2 + HOUR);
  await round();
  const mail = await server.next(english.email, subject);
  assert.match(mail.text, /^- entra: 2$/m);
  service.clock.advance(DAY);
  await round();
  assert.equal(sent(english.email), 2, 'nothing new');
});

test('of two instances, one sends it', async () => {
  const { one, two, stop } = await startTwoInstances();
  try {
    const admin = await one.newUser({ admin: true });
    const directories = [await newDirectory(one), await newDirectory(one, { source: 'okta' })] as const;
    const id = await managedAdministrator(one, directories[0]);
    await directories[0].send('DELETE', `/Users/${id}`);
    // Of another directory they don't exist.
    assert.equal((await directories[1].send('DELETE', `/Users/${id}`)).status, 404);
    await one.running.services.journal.flush();
    await Promise.all([one, two, one, two].map(({ running }) => tellOfRefusals(running.services)));
    const [mail, ...others] = about(await mailsTo(one, admin.email)) as { subject: string; text: string }[];
    assert.match(mail?.text ?? '', /^- entra: 1$/m);
    assert.deepEqual(others, []);
    assert.equal(mail?.text.includes('okta'), false);
  } finally {
    await stop();
  }
});
