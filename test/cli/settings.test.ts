// latchkey settings, and settings in the file of latchkey apply, next to a running service.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { placedPng } from '../harness/account.ts';
import { runCommand } from '../harness/command.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.stop());

const run = (...args: string[]) => runCommand(args, { LATCHKEY_DATA_DIR: service.dataDir });

test('settings are shown, one or all, and changes reach the running service', async () => {
  assert.equal((await run('settings', 'get', 'second_factor')).stdout, 'optional\n');
  assert.deepEqual(JSON.parse((await run('settings', 'get', '--json')).stdout), {
    second_factor: 'optional',
    session_hours: 24,
    kept_session_days: 30,
    kept_session_idle_days: 14,
    default_upstream: '',
    email_codes: 'off',
    passwords: 'allowed',
    passwords_until: '',
    sign_up: 'closed',
    sign_up_domains: [],
    default_groups: [],
    scim_user_name: 'email',
    scim_verified_domains: [],
    disable_inactive_after_days: null,
    inactive_notice_days: 14,
    review_keep_days: 730,
    first_steps: 'shown',
    service_name: 'Latchkey',
    accent: '',
    support_url: '',
    terms_url: '',
    privacy_url: '',
    sign_in_message: '',
    logo: null,
    logo_dark: null,
    favicon: null,
  });
  const all = (await run('settings', 'get')).stdout;
  assert.match(all, /^NAME +VALUE +.*\nsecond_factor +optional +who needs/);
  assert.deepEqual(await run('settings'), { status: 0, stdout: all, stderr: '' });
  const { settings } = service.running.services;
  assert.equal((await settings.read()).second_factor, 'optional');

  const set = await run('settings', 'set', 'second_factor', 'administrators');
  assert.deepEqual([set.status, set.stdout], [0, 'second_factor is now administrators.\n']);
  assert.deepEqual(JSON.parse((await run('settings', 'get', 'second_factor', '--json')).stdout), {
    second_factor: 'administrators',
  });
  service.clock.advance(4);
  assert.equal((await settings.read()).second_factor, 'administrators');
  const again = await run('settings', 'set', 'second_factor', 'administrators', '--json');
  assert.deepEqual(JSON.parse(again.stdout), { second_factor: 'administrators' });
  assert.equal((await service.events('settings_changed')).length, 1);
});

test('an unknown setting or bad value fails with one sentence and status 1; wrong usage is 2', async () => {
  const names =
    'second_factor, session_hours, kept_session_days, kept_session_idle_days, default_upstream, email_codes, passwords, ' +
    'passwords_until, sign_up, sign_up_domains, default_groups, scim_user_name, scim_verified_domains, ' +
    'disable_inactive_after_days, inactive_notice_days, review_keep_days, first_steps, ' +
    'service_name, accent, support_url, terms_url, privacy_url, sign_in_message, logo, logo_dark, favicon';
  for (const [args, status, sentence] of [
    [['get', 'theme'], 1, `there is no setting "theme"; there are: ${names}.`],
    [['set', 'theme', 'dark'], 1, `there is no setting "theme"; there are: ${names}.`],
    [['set', 'constructor', '1'], 1, `there is no setting "constructor"; there are: ${names}.`],
    [['set', 'second_factor', 'all'], 1, 'second_factor must be one of: optional, administrators, everyone.'],
    [
      ['get', 'session_hour'],
      1,
      `there is no setting "session_hour"; there are: ${names}. Did you mean "session_hours"?`,
    ],
    [['get', '2fa'], 1, `there is no setting "2fa"; there are: ${names}. Did you mean "second_factor"?`],
    [
      ['set', 'second_factor', 'everyon'],
      1,
      'second_factor must be one of: optional, administrators, everyone. Did you mean "everyone"?',
    ],
    [['set', 'session_hours', '1.5'], 1, 'session_hours must be a whole number from 1 to 720.'],
    [['set', 'session_hours'], 2, 'VALUE is required. Run "latchkey settings set --help" for usage.'],
    [['set', 'session_hours', '1', '2'], 2, 'unexpected argument "2". Run "latchkey settings set --help" for usage.'],
  ] as const) {
    const result = await run('settings', ...args);
    assert.deepEqual([result.status, result.stderr, result.stdout], [status, `latchkey: ${sentence}\n`, '']);
  }
});

test("an apply file changes settings, shows the changes, and leaves applications it doesn't list alone", async () => {
  const client = await service.newClient();
  const file = join(service.dataDir, 'latchkey.json');
  const apply = (...args: string[]) => run('apply', '-f', file, ...args);
  writeFileSync(file, JSON.stringify({ settings: { session_hours: 9, kept_session_days: 30 } }));
  const dry = await apply('--dry-run', '--prune');
  assert.match(
    dry.stdout,
    /^~ settings\n {4}~ session_hours: 24 → 9\n\nDry run: nothing was changed\. 0 to create, 1 to change, .* 1 unchanged\.$/m,
  );
  assert.equal((await run('settings', 'get', 'session_hours')).stdout, '24\n');

  const { settings } = JSON.parse((await apply('--prune', '--json')).stdout);
  assert.deepEqual(settings, { changes: { session_hours: { from: 24, to: 9 } } });
  assert.equal((await run('settings', 'get', 'session_hours')).stdout, '9\n');
  assert.equal((await service.running.services.storage.findClient(client.id))?.id, client.id);
  assert.match((await apply()).stdout, /^0 created, 0 changed, 0 deleted, 2 unchanged\.\n$/);

  const described = { client_id: client.id, name: 'Test app', redirect_uris: [client.redirectUri] };
  writeFileSync(file, JSON.stringify({ applications: [{ ...described, second_factor: 'required' }] }));
  assert.match((await apply()).stdout, /second_factor: optional → required/);
  writeFileSync(file, JSON.stringify({ applications: [described] }));
  assert.match((await apply()).stdout, /1 unchanged/, 'a file that does not say leaves it');

  writeFileSync(file, JSON.stringify({ applications: [], settings: { theme: 'dark', session_hours: 0 } }));
  const refused = await apply();
  assert.equal(refused.status, 1);
  assert.match(
    refused.stderr,
    /Nothing was changed:\n {2}- settings: there is no setting "theme".*\n {2}- settings: session/,
  );
});

test('brand images are set from files with settings and apply, and removed', async () => {
  const logo = join(service.dataDir, 'logo.png');
  writeFileSync(logo, placedPng);
  const set = await run('settings', 'set', 'logo', logo);
  assert.deepEqual([set.status, set.stdout], [0, 'logo is now set.\n']);
  const url = (await run('settings', 'get', 'logo')).stdout.trim();
  assert.match(url, /^http:\/\/.*\/brand\/logo\/[\w-]{16}$/);
  assert.equal((await run('settings', 'set', 'logo', logo)).stdout, 'logo was already set.\n');

  const file = join(service.dataDir, 'brand.json');
  const apply = (settings: object, ...args: string[]) => {
    writeFileSync(file, JSON.stringify({ settings }));
    return run('apply', '-f', file, ...args);
  };
  const described = { logo: 'logo.png', favicon: 'logo.png', accent: '#2457C5', service_name: 'Acme ID' };
  const first = await apply(described);
  assert.match(
    first.stdout,
    /^~ settings\n {4}~ service_name: Latchkey → Acme ID\n {4}~ accent: \(empty\) → #2457c5\n {4}\+ favicon: added\n/,
  );
  assert.match(first.stdout, /0 created, 3 changed, 0 deleted, 1 unchanged\.\n$/);
  assert.match((await apply(described)).stdout, /^0 created, 0 changed, 0 deleted, 4 unchanged\.\n$/);
  const { settings } = JSON.parse((await apply({ ...described, favicon: null }, '--json')).stdout);
  assert.deepEqual(settings, { changes: { favicon: 'removed' } });
  const removed = await run('settings', 'set', 'logo', '', '--json');
  assert.deepEqual(JSON.parse(removed.stdout), { logo: null });
  assert.equal((await run('settings', 'set', 'accent', '')).stdout, 'accent is now empty.\n');

  writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const svg = await run('settings', 'set', 'logo', logo);
  assert.deepEqual(
    [svg.status, svg.stderr],
    [1, 'latchkey: the logo is not a PNG, JPEG or WebP image; SVG is not accepted, because it can contain scripts.\n'],
  );
  assert.match((await run('settings', 'set', 'logo', `${logo}.gone`)).stderr, /can't read/);
});

test('lists are comma separated on the command line, and lists in files', async () => {
  await run('group', 'create', 'Crew');
  const set = await run('settings', 'set', 'sign_up_domains', 'b.example, A.example');
  assert.deepEqual([set.status, set.stdout], [0, 'sign_up_domains is now b.example, a.example.\n']);
  const same = await run('settings', 'set', 'sign_up_domains', 'a.example,b.example');
  assert.equal(same.stdout, 'sign_up_domains is already a.example, b.example.\n');
  assert.equal((await run('settings', 'get', 'sign_up_domains')).stdout, 'b.example, a.example\n');
  assert.deepEqual(JSON.parse((await run('settings', 'get', 'sign_up_domains', '--json')).stdout), {
    sign_up_domains: ['b.example', 'a.example'],
  });
  assert.equal((await run('settings', 'set', 'default_groups', 'crew')).stdout, 'default_groups is now Crew.\n');
  assert.match((await run('settings', 'set', 'default_groups', 'Nobody')).stderr, /there is no group "Nobody"/);
  assert.equal((await run('settings', 'set', 'default_groups', '')).stdout, 'default_groups is now empty.\n');
});

test('apply creates groups before the settings that name them, and knows them in any case', async () => {
  const file = join(service.dataDir, 'groups.json');
  const apply = (content: object) => {
    writeFileSync(file, JSON.stringify(content));
    return run('apply', '-f', file);
  };
  const unknown = await apply({ settings: { default_groups: ['New ones'], session_hours: 3 } });
  assert.deepEqual([unknown.status, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /there is no group "New ones"\. Nothing was changed\./);
  const both = { groups: [{ name: 'New ones' }], settings: { default_groups: ['new ONES', 'Crew'] } };
  assert.match((await apply(both)).stdout, /1 created, 1 changed/);
  assert.equal((await run('settings', 'get', 'default_groups')).stdout, 'New ones, Crew\n');
  assert.match((await apply(both)).stdout, /^0 created, 0 changed, 0 deleted, 2 unchanged\.\n/);
});
