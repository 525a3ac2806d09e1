// The checklist of a new service: what is done follows from facts, each item leads to its page, and it goes away.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { setRoles } from '../../../src/operations/users/set-roles.ts';
import { placesOfSteps } from '../../../src/pages/console/first-steps.ts';
import { noticeOn, send, visit } from '../../harness/console.ts';
import { Person } from '../../harness/person.ts';
import { requester, startTestService } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const DAY = 24 * 60 * 60;

const { service, admin, signInAgain } = consoleOfSuite();

/** Whether each is done, by its title. */
async function steps(as = admin): Promise<Record<string, boolean>> {
  const { page } = await visit(as, '/admin');
  const items = [...page.matchAll(/class="unseen">(Done|Not done yet):<\/span> (?:<a [^>]*>)?([^<]*)/g)];
  return Object.fromEntries(items.map(([, state, title]) => [title, state === 'Done']));
}

const note = (at: number) =>
  service.execute(
    `INSERT INTO settings (name, value, updated_at) VALUES ('last_backup', '${at}', 0)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );

describe('the checklist', () => {
  test('stands in for empty charts, and says nothing twice', async () => {
    assert.deepEqual(await steps(), {
      'Send email': false,
      'Use HTTPS': false,
      'Back up the store': false,
      'Add a second administrator': false,
      'Require two-step verification for administrators': false,
      'Register an application': false,
    });
    const { page } = await visit(admin, '/admin');
    assert.match(page, /0 of 6 done/);
    assert.doesNotMatch(page, /<figure|Needs attention|No application has been used yet/);
  });

  test('says where emails go until they are sent', async () => {
    assert.equal(service.running.services.emailQueue.kind, 'outbox');
    const { page } = await visit(admin, '/admin');
    const text = /Send email<\/a><\/p>\s*<p class="quiet">([\s\S]*?)<\/p>/.exec(page)?.[1] ?? '';
    assert.match(text, /^Emails are collected in the outbox instead of being sent\./);
    assert.match(text, /<a href="\/dev\/outbox">Open the outbox<\/a>$/);
    assert.doesNotMatch(text, /[Nn]obody can/);
  });

  test('leads to invitations that make the second administrator one', async () => {
    const { page } = await visit(admin, '/admin');
    assert.match(page, /Invite them with admin access\./);
    const there = await visit(admin, placesOfSteps.second_administrator);
    assert.match(there.page, /<input id="admin" name="admin" type="checkbox"/);
  });

  test('leads to the page or the document of each item', async () => {
    const { page } = await visit(admin, '/admin');
    for (const [step, place] of Object.entries(placesOfSteps)) {
      assert.ok(page.includes(`<a href="${place}">`), step);
      const [path = '', anchor] = place.split('#');
      const { status, page: there } = await visit(admin, path);
      assert.equal(status, 200, step);
      if (anchor !== undefined) assert.ok(there.includes(` id="${anchor}"`), `${step} has no #${anchor}`);
    }
  });

  test('ticks off what is done, and shows the charts with the first application', async () => {
    const { services } = service.running;
    await service.newClient();
    assert.equal((await steps())['Register an application'], true);
    assert.match((await visit(admin, '/admin')).page, /<figure/);
    await changeSettings(services, { second_factor: 'administrators' }, requester);
    await changeSettings(services, { second_factor: 'optional' }, requester);
    assert.equal((await steps())['Require two-step verification for administrators'], false);
    await service.newUser({ admin: true });
    assert.equal((await steps())['Add a second administrator'], true);
    await note(service.clock.now());
    assert.equal((await steps())['Back up the store'], true);
    service.clock.advance(31 * DAY);
    await signInAgain();
    assert.equal((await steps())['Back up the store'], false);
  });

  test('shows each person what they can do', async () => {
    const other = await startTestService();
    try {
      const find = async (role: 'people' | 'applications' | 'auditor') => {
        const user = await other.newUser();
        await setRoles(other.running.services, { id: user.id }, [role], requester);
        const person = new Person(other);
        await person.signIn(user);
        return steps(person);
      };
      assert.deepEqual(await find('applications'), { 'Register an application': false });
      assert.deepEqual(await find('people'), {});
      assert.deepEqual(await find('auditor'), {});
      await other.newClient();
      assert.deepEqual(await find('applications'), {});
    } finally {
      await other.stop();
    }
  });

  test('can be hidden, and then what is wrong is among the warnings', async () => {
    const { page } = await send(admin, '/admin', '/admin/settings/first-steps');
    assert.equal(noticeOn(page), 'Checklist hidden. You can show it again in Settings.');
    assert.deepEqual(await steps(), {});
    assert.match(page, /plain HTTP/);
    assert.equal((await service.events('settings_changed')).at(-1)?.detail?.first_steps, 'hidden');
  });
});
