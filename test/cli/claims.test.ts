// Claims of applications on the command line, in the file of apply, and what an application would get.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { newAttribute, newGroup } from '../harness/claim-subjects.ts';
import { runCommand } from '../harness/command.ts';
import { startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { assertNothingChanged, everythingIn } from '../harness/store.ts';

let service: TestService;
let ada: TestUser;
before(async () => {
  service = await startTestService();
  await newAttribute(service, 'department');
  await newAttribute(service, 'nickname', 'person');
  ada = await service.newUser({
    email: 'ada@example.test',
    attributes: { as: 'json', values: { nickname: 'Countess' } },
  });
  await newGroup(service, 'Admins', ada);
  await newGroup(service, 'Staff', ada);
  await newGroup(service, 'R&D: a, b; c=d');
});
after(() => service?.stop());

const command = (args: string[], input = '') =>
  runCommand(args, { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir }, input);
const run = (...args: string[]) => command(['client', ...args]);

async function json(args: string[], input = '') {
  const result = await command(['client', ...args, '--json'], input);
  assert.equal(result.status, 0, result.stderr);
  return JSON.parse(result.stdout);
}

const create = (...args: string[]) =>
  json(['create', '--name', 'Roles', '--redirect-uri', 'https://r.example/cb', ...args]);
const plain = { label: null, id_token: false };
const role = {
  claim: 'role',
  source: 'if-group',
  map: [
    { group: 'Admins', value: 'admin' },
    { group: 'Staff', value: 'editor' },
  ],
  else: 'viewer',
  ...plain,
};
const roleLine = 'role=if-group:Admins=admin;Staff=editor;else=viewer';

test('claims are set when an application is created, and shown', async () => {
  const made = await create(
    '--claim',
    'groups=groups',
    '--claim',
    roleLine,
    '--claim',
    'nick=attribute:nickname',
    '--claim-in-id-token',
    'role',
    '--claim-label',
    'role=Your role = this',
    '--claim-self-asserted',
    'nick',
  );
  assert.deepEqual(made.claims, [
    { claim: 'groups', source: 'groups', groups: null, ...plain },
    { ...role, label: 'Your role = this', id_token: true },
    { claim: 'nick', source: 'attribute', attribute: 'nickname', self_asserted: true, ...plain },
  ]);
  const shown = (await run('show', made.client_id)).stdout;
  assert.match(shown, /^claim +groups=groups$/m);
  assert.ok(shown.includes(`${roleLine} (shown as "Your role = this", in the ID token)`), shown);
  assert.match(shown, /^claim +nick=attribute:nickname \(self-asserted\)$/m);
  assert.doesNotMatch((await run('show', (await create()).client_id)).stdout, /^claim/m);
});

test('--claim replaces the set, the others change it, and --claim "" clears it', async () => {
  const { client_id: id } = await create('--claim', 'groups=groups', '--claim', 'tier=value:gold');
  const named = await json(['update', id, '--claim-label', 'tier=Level', '--claim-in-id-token', 'groups']);
  assert.deepEqual(named.claims, [
    { claim: 'groups', source: 'groups', groups: null, label: null, id_token: true },
    { claim: 'tier', source: 'value', value: 'gold', label: 'Level', id_token: false },
  ]);
  const renamed = await json(['update', id, '--name', 'Other']);
  assert.deepEqual(renamed.claims, named.claims);
  const unlabeled = await json(['update', id, '--claim-label', 'tier=']);
  assert.equal(unlabeled.claims[1].label, null);
  const replaced = await json(['update', id, '--claim', 'tier=value:silver', '--claim', roleLine]);
  assert.deepEqual(replaced.claims, [{ claim: 'tier', source: 'value', value: 'silver', ...plain }, role]);
  assert.deepEqual((await json(['update', id, '--claim', ''])).claims, []);
});

test('--claims takes JSON from a file or standard input, and what show prints', async () => {
  const claims = [{ claim: 'rd', source: 'has-group', group: 'R&D: a, b; c=d' }];
  const { client_id: id } = await create();
  const file = join(service.dataDir, 'claims.json');
  writeFileSync(file, `\ufeff${JSON.stringify(claims)}`);
  const shown = (await json(['update', id, '--claims', file])).claims;
  assert.deepEqual(shown, [{ ...claims[0], ...plain }]);
  const since = await everythingIn(service);
  assert.deepEqual((await json(['update', id, '--claims', '-'], JSON.stringify(shown))).claims, shown);
  await assertNothingChanged(service, since);
  assert.match((await run('show', id)).stdout, /^claim +rd=has-group:"R&D: a, b; c=d"$/m);
});

describe('refused, and nothing changes', () => {
  const faults: [string[], number, RegExp][] = [
    [['--claim', 'role'], 2, /--claim: "role" must be CLAIM=SOURCE/],
    [['--claim', 'role=admin'], 2, /the source of "role" must be one of: groups, attribute, value/],
    [['--claim', ''], 0, /^$/],
    [['--claim', '', '--claim', 'a=groups'], 2, /"" must be CLAIM=SOURCE/],
    [['--claim', 'a=groups', '--claim', 'a=groups'], 2, /"a" appears twice/],
    [['--claim', 'sub=groups'], 1, /the claim "sub" is reserved/],
    [['--claim', '__proto__=groups'], 1, /the claim "__proto__" must begin with a letter/],
    [['--claim', 'a=groups:Nobody'], 1, /there is no group "Nobody"\./],
    [['--claim', 'a=attribute:shoe'], 1, /there is no attribute "shoe"\./],
    [['--claim', 'a=attribute:nickname'], 1, /nickname can be edited by people, so the claim a must be self-asserted/],
    [['--claim-label', 'a=A'], 2, /--claim-label: there is no claim "a"/],
    [['--claim-label', 'a'], 2, /--claim-label must be CLAIM=TEXT/],
    [['--claim-in-id-token', 'constructor'], 2, /there is no claim "constructor"/],
    [['--claim', 'a=groups', '--claim-self-asserted', 'a'], 2, /the claim a isn't from an attribute/],
    [['--claims', '-', '--claim', 'a=groups'], 2, /--claims can't be combined/],
    [['--claims', '/nowhere/claims.json'], 1, /can't read the claims in \/nowhere\/claims\.json: ENOENT/],
  ];
  for (const [args, status, problem] of faults) {
    test(args.join(' '), async () => {
      const { client_id: id } = await create();
      const since = await everythingIn(service);
      const result = await run('update', id, ...args);
      assert.equal(result.status, status, result.stderr);
      assert.match(result.stderr, problem);
      await assertNothingChanged(service, since);
    });
  }

  const inputs: [string, RegExp][] = [
    ['{', /isn't valid JSON: the text ends/],
    ['[{"claim":"a","claim":"b"}]', /the key "claim" is there a second time/],
    ['{"claims":[]}', /the claims must be a list/],
    ['[{"claim":"a","source":"groups","x":1}]', /has the member "x"/],
    [`["${'x'.repeat(300_000)}"]`, /larger than 256 KB/],
  ];
  for (const [input, problem] of inputs) {
    test(`--claims - with ${input.slice(0, 30)}`, async () => {
      const { client_id: id } = await create();
      const result = await command(['client', 'update', id, '--claims', '-'], input);
      assert.equal(result.status, 1);
      assert.match(result.stderr, problem);
      assert.ok(result.stderr.length < 400, result.stderr);
    });
  }
});

test('the help has an example of each source', async () => {
  for (const name of ['create', 'update']) {
    const { stdout } = await run(name, '--help');
    for (const each of [
      'groups:Staff,Admins',
      'attribute:department',
      'value:gold',
      'has-group:Admins',
      'if-group:',
      'map-groups:',
    ]) {
      assert.ok(stdout.includes(each), `${name}: ${each}`);
    }
  }
});

test('preview shows what an application would get, and marks what people enter themselves', async () => {
  const { client_id: id } = await create(
    '--claim',
    roleLine,
    '--claim-in-id-token',
    'role',
    '--claim',
    'roles=map-groups:Staff=s;Admins=a',
    '--claim',
    'nick=attribute:nickname',
    '--claim-self-asserted',
    'nick',
  );
  const preview = await json(['preview', id, ada.email]);
  assert.deepEqual(Object.keys(preview), ['userinfo', 'id_token']);
  assert.deepEqual([preview.userinfo.role, preview.userinfo.roles], ['admin', ['s', 'a']]);
  assert.equal(preview.userinfo.email, ada.email);
  assert.deepEqual(preview.id_token, { iss: service.url, sub: ada.id, aud: id, role: 'admin' });
  const few = await json(['preview', id, ada.id, '--scope', 'openid email']);
  assert.deepEqual(few.userinfo, { sub: ada.id, email: ada.email, email_verified: true });
  const { stdout } = await run('preview', id, ada.email);
  assert.match(stdout, /^userinfo +sub +"/m);
  assert.match(stdout, /^ +role +"admin"$/m);
  assert.match(stdout, /^ +nick +"Countess" \(entered by you\)$/m);
  assert.match(stdout, /^ID token +iss +"/m);
  assert.equal(
    (await run('preview', id, 'nobody@example.test')).stderr,
    'latchkey: there is no person "nobody@example.test".\n',
  );
  assert.match((await run('preview', id, ada.id, '--scope', 'groups')).stderr, /Unknown scope: 'groups'/);
  assert.equal((await service.events('claims_previewed')).length, 3);
});

describe('apply', () => {
  const fileOf = (claims: unknown, more: object = {}) =>
    JSON.stringify({
      ...more,
      applications: [
        {
          client_id: 'applied',
          name: 'Applied',
          redirect_uris: ['https://a.example/cb'],
          ...(claims !== undefined && { claims }),
        },
      ],
    });
  const apply = (text: string, ...args: string[]) => command(['apply', '-f', '-', ...args], text);
  const shown = async () => (await json(['show', 'applied'])).claims;

  test('sets claims, shows the difference, and changes nothing the second time', async () => {
    const first = await apply(fileOf([{ claim: 'groups', source: 'groups' }]));
    assert.equal(first.status, 0, first.stderr);
    assert.match(first.stdout, /\+ claims: groups=groups/);
    assert.deepEqual(await shown(), [{ claim: 'groups', source: 'groups', groups: null, ...plain }]);
    const lower = { ...role, map: role.map.map(({ group, value }) => ({ group: group.toLowerCase(), value })) };
    const second = await apply(fileOf([lower]));
    assert.match(second.stdout, new RegExp(`\\+ claims: ${roleLine}\\n.*- claims: groups=groups`));
    assert.deepEqual(await shown(), [role]);
    const since = await everythingIn(service);
    for (const claims of [[lower], [role], undefined]) {
      const again = await apply(fileOf(claims));
      assert.equal(again.status, 0, again.stderr);
      assert.doesNotMatch(again.stdout, /claims/);
    }
    await assertNothingChanged(service, since);
    const changed = JSON.parse((await apply(fileOf([{ ...role, id_token: true }]), '--json')).stdout);
    assert.deepEqual(changed.applications[0].changes.claims, {
      added: [`${roleLine} (in the ID token)`],
      removed: [roleLine],
    });
  });

  test('an export has them, and applying it changes nothing', async () => {
    const { stdout } = await command(['apply', '--export']);
    const applied = JSON.parse(stdout).applications.find((each: { client_id: string }) => each.client_id === 'applied');
    assert.deepEqual(applied.claims, await shown());
    const since = await everythingIn(service);
    assert.equal((await apply(stdout)).status, 0);
    await assertNothingChanged(service, since);
  });

  test('refuses what is wrong before anything is changed', async () => {
    const since = await everythingIn(service);
    const faults: [unknown, RegExp][] = [
      [{}, /applications\[0\] \("applied"\): "claims" must be a list/],
      [[{ claim: 'sub', source: 'groups' }], /the claim "sub" is reserved/],
      [[{ claim: 'a', source: 'has-group', group: 'Nobody' }], /there is no group "Nobody"\. Nothing was changed/],
      [[{ claim: 'a', source: 'attribute', attribute: 'shoe' }], /there is no attribute "shoe"\. Nothing was changed/],
    ];
    for (const [claims, problem] of faults) {
      const result = await apply(fileOf(claims));
      assert.equal(result.status, 1);
      assert.match(result.stderr, problem);
    }
    await assertNothingChanged(service, since);
  });

  test('a group and an attribute of the same file can be used, and --prune keeps groups that claims use', async () => {
    const more = { groups: [{ name: 'Fresh' }], attributes: [{ name: 'shift', label: 'Shift', kind: 'text' }] };
    const claims = [
      { claim: 'fresh', source: 'has-group', group: 'Fresh' },
      { claim: 'shift', source: 'attribute', attribute: 'shift' },
    ];
    const text = fileOf(claims, more);
    const result = await apply(text);
    assert.equal(result.status, 0, result.stderr);
    assert.deepEqual((await shown())[0].group, 'Fresh');
    const pruned = await apply(fileOf(undefined, { groups: [] }), '--prune');
    assert.equal(pruned.status, 0, pruned.stderr);
    assert.deepEqual((await shown())[0].group, 'Fresh');
  });
});
