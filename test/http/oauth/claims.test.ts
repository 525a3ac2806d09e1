// Claims that an administrator has switched on for an application: who gets them, where, and after which consent.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { updateClient } from '../../../src/operations/clients/clients.ts';
import { deleteGroup, updateGroup } from '../../../src/operations/groups/groups.ts';
import { previewClaims } from '../../../src/operations/oauth/preview-claims.ts';
import type { ApplicationClaim } from '../../../src/protocol/oauth/application-claims.ts';
import { allGroups, attributeSource, claimOf, moveTo, newGroup, newUserWith, setClaims } from '../../harness/claims.ts';
import { answerOf, formIn, Person } from '../../harness/person.ts';
import {
  authorizePath,
  decodeJwt,
  exchangeParameters,
  newVerifier,
  obtainTokens,
  postForm,
  refreshParameters,
  type TokenBody,
} from '../../harness/relying-party.ts';
import {
  requester,
  startTestService,
  type TestClient,
  type TestService,
  type TestUser,
} from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const decision = '/oauth-authorize/decision';
const everything = {
  department: 'Sales & "more" <b>',
  level: 5,
  vip: true,
  teams: ['b', 'a'],
};

const service = serviceOfSuite();
let user: TestUser;
let admins: { id: string; name: string };
let staff: { id: string; name: string };

before(async () => {
  user = await newUserWith(service, everything);
  admins = await newGroup(service, 'Admins <1>', user);
  staff = await newGroup(service, 'Staff');
});

async function newApp(claims: readonly ApplicationClaim[]): Promise<TestClient> {
  const app = await service.newClient();
  await setClaims(service, app.id, claims);
  return app;
}

/** The response's text. */
async function userinfo({ access_token }: Pick<TokenBody, 'access_token'>): Promise<string> {
  const headers = { Authorization: `Bearer ${access_token}` };
  const response = await fetch(`${service.url}/oauth/userinfo`, { headers });
  assert.equal(response.status, 200);
  return response.text();
}

async function claimsOf(tokens: Pick<TokenBody, 'access_token'>): Promise<Record<string, unknown>> {
  return JSON.parse(await userinfo(tokens));
}

async function refreshed(app: TestClient, tokens: TokenBody, scope?: string): Promise<TokenBody> {
  const parameters = refreshParameters(app, tokens.refresh_token);
  const { status, body } = await postForm(service, '/oauth/token', scope ? { ...parameters, scope } : parameters);
  assert.equal(status, 200);
  return body;
}

const textOf = (token: string) => Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();

const standard = ['sub', 'name', 'updated_at', 'email', 'email_verified'];
const inEveryAccessToken = ['iss', 'sub', 'aud', 'client_id', 'scope', 'iat', 'exp', 'jti', 'grant'];
const inEveryIdToken = ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'at_hash', 'amr', 'sid', 'acr'];

/** The claims of each source. */
const ofEachKind = () => [
  claimOf('groups', allGroups, { idToken: true }),
  claimOf('mine', { source: 'groups', groups: [staff] }),
  claimOf('dept', attributeSource('department'), { idToken: true }),
  claimOf('level', attributeSource('level')),
  claimOf('vip', attributeSource('vip')),
  claimOf('teams', attributeSource('teams')),
  claimOf('missing', attributeSource('constructor'), { idToken: true }),
  claimOf('https://app.example/tier', { source: 'value', value: 'gold' }),
  claimOf('admin', { source: 'has-group', group: admins }),
  claimOf('staff', { source: 'has-group', group: staff }),
  claimOf('role', { source: 'if-group', map: [{ group: admins, value: 'admin' }], else: 'viewer' }),
  claimOf('other', { source: 'if-group', map: [{ group: staff, value: 'editor' }], else: null }),
  claimOf('roles', { source: 'map-groups', map: [admins, staff].map((group) => ({ group, value: group.name })) }),
];
const valuesOfEachKind = () => ({
  groups: [admins.name],
  mine: [],
  dept: everything.department,
  level: 5,
  vip: true,
  teams: ['b', 'a'],
  'https://app.example/tier': 'gold',
  admin: true,
  staff: false,
  role: 'admin',
  roles: [admins.name],
});

test('userinfo has all of them after the standard claims, the ID token those that say so, the access token none', async () => {
  const app = await newApp(ofEachKind());
  const { tokens } = await obtainTokens(service, app, user);
  const expected = valuesOfEachKind();
  for (const issued of [tokens, await refreshed(app, tokens)]) {
    const claims = await claimsOf(issued);
    assert.deepEqual(Object.keys(claims), [...standard, ...Object.keys(expected)]);
    assert.deepEqual({ ...claims, ...expected }, claims);
    const idToken = decodeJwt(issued.id_token);
    assert.deepEqual(Object.keys(idToken), [...inEveryIdToken, 'groups', 'dept']);
    assert.deepEqual([idToken.groups, idToken.dept], [expected.groups, expected.dept]);
    assert.deepEqual(Object.keys(decodeJwt(issued.access_token)), inEveryAccessToken);
  }
});

test('without claims, responses are what they always were, byte for byte', async () => {
  const plain = await newApp([]);
  const configured = await newApp(ofEachKind());
  const changed = await newApp([]);
  const early = (await obtainTokens(service, changed, user)).tokens;
  await setClaims(service, changed.id, ofEachKind());
  const { id, email, updatedAt } = user.record;
  const profile = `"name":"Grace Hopper","updated_at":${Math.floor(updatedAt / 1000)},`;
  const rest = `"email":"${email}","email_verified":true}`;
  const cases: [string, TestClient, TokenBody, string][] = [
    ['none configured', plain, (await obtainTokens(service, plain, user)).tokens, profile],
    ['configured after the consent', changed, early, profile],
    [
      'without profile',
      configured,
      (await obtainTokens(service, configured, user, { scope: 'openid email' })).tokens,
      '',
    ],
  ];
  for (const [name, app, tokens, covered] of cases) {
    for (const issued of [tokens, await refreshed(app, tokens)]) {
      assert.equal(await userinfo(issued), `{"sub":"${id}",${covered}${rest}`, name);
      const text = textOf(issued.id_token);
      const { iss, exp, iat, auth_time, at_hash, sid } = JSON.parse(text);
      const times = `"exp":${exp},"iat":${iat},"auth_time":${auth_time},"nonce":"nonce-1"`;
      const proof = `"at_hash":"${at_hash}","amr":["pwd"],"sid":"${sid}","acr":"1"}`;
      assert.equal(text, `{"iss":"${iss}","sub":"${id}","aud":"${app.id}",${times},${proof}`, name);
    }
  }
});

test('fewer scopes at a refresh, or of the application, leave them out', async () => {
  const app = await newApp([claimOf('groups', allGroups, { idToken: true })]);
  const { tokens } = await obtainTokens(service, app, user);
  const narrow = await refreshed(app, tokens, 'openid email');
  assert.equal((await claimsOf(narrow)).groups, undefined);
  assert.equal(decodeJwt(narrow.id_token).groups, undefined);
  await updateClient(service.running.services, app.id, { scopes: ['openid', 'email'] }, requester);
  assert.equal((await claimsOf(tokens)).groups, undefined);
  assert.equal(decodeJwt((await refreshed(app, tokens)).id_token).groups, undefined);
});

test("someone's groups show at the next userinfo, under their new names, and nobody is asked", async () => {
  const person = await newUserWith(service, {});
  const group = await newGroup(service, 'Crew');
  const listed = claimOf('mine', { source: 'groups', groups: [group] });
  const app = await newApp([claimOf('groups', allGroups, { idToken: true }), listed]);
  const { tokens, person: browser } = await obtainTokens(service, app, person);
  const seen = async () => {
    const { groups, mine } = await claimsOf(tokens);
    assert.deepEqual(decodeJwt((await refreshed(app, tokens)).id_token).groups, groups);
    return [groups, mine];
  };
  assert.deepEqual(await seen(), [[], []]);
  await moveTo(service, group.id, [person], 'add');
  await moveTo(service, staff.id, [person], 'add');
  assert.deepEqual(await seen(), [['Crew', 'Staff'], ['Crew']]);
  await updateGroup(service.running.services, group.id, { name: 'Team' }, requester);
  assert.deepEqual(await seen(), [['Staff', 'Team'], ['Team']]);
  await moveTo(service, staff.id, [person], 'remove');
  assert.deepEqual(await seen(), [['Team'], ['Team']]);
  await deleteGroup(service.running.services, group.id, true, requester);
  await newGroup(service, 'Team', person);
  assert.deepEqual(await seen(), [['Team'], []]);
  assert.equal((await browser.visit(authorizePath(app, newVerifier(), { prompt: 'none' }))).status, 302);
});

/** What has to be agreed to again, and what doesn't. */
const role = (rest: object = {}): ApplicationClaim => {
  const source = { source: 'if-group', map: [{ group: admins, value: 'a' }], else: null } as const;
  return { ...claimOf('role', source), ...rest } as ApplicationClaim;
};
const tier = claimOf('tier', { source: 'value', value: 'gold' });
const dept = (selfAsserted: boolean) => claimOf('dept', attributeSource('department', selfAsserted));
const changes: [string, () => ApplicationClaim[], () => ApplicationClaim[], 'asks' | 'asks nobody'][] = [
  ['the first claim', () => [], () => [tier], 'asks'],
  ['another claim', () => [tier], () => [tier, role()], 'asks'],
  ['another name', () => [tier], () => [{ ...tier, claim: 'plan' }], 'asks'],
  ['another value', () => [tier], () => [claimOf('tier', { source: 'value', value: 'silver' })], 'asks'],
  ['being in the ID token', () => [tier], () => [{ ...tier, idToken: true }], 'asks'],
  ['no longer being in it', () => [{ ...tier, idToken: true }], () => [tier], 'asks'],
  ['another source', () => [role()], () => [claimOf('role', allGroups)], 'asks'],
  ['a fallback', () => [role()], () => [role({ else: 'viewer' })], 'asks'],
  ['another group', () => [role()], () => [role({ map: [{ group: staff, value: 'a' }] })], 'asks'],
  [
    'other groups',
    () => [claimOf('g', allGroups)],
    () => [claimOf('g', { source: 'groups', groups: [staff] })],
    'asks',
  ],
  ['another attribute', () => [dept(false)], () => [claimOf('dept', attributeSource('teams'))], 'asks'],
  ['a label', () => [tier], () => [{ ...tier, label: 'Tier' }], 'asks nobody'],
  ['a self-asserted attribute', () => [dept(false)], () => [dept(true)], 'asks nobody'],
  ['another order', () => [tier, role()], () => [role(), tier], 'asks nobody'],
  ['removing one', () => [tier, role()], () => [role()], 'asks nobody'],
  ['removing all', () => [tier, role()], () => [], 'asks nobody'],
];

for (const authorizesInFront of [true, false]) {
  describe(`consent, ${authorizesInFront ? 'in front of' : 'behind'} the framework`, () => {
    let door: TestService;
    let own: TestUser;
    before(async () => {
      door = await startTestService({}, { authorizesInFront });
      own = await newUserWith(door, everything);
      for (const group of [admins, staff]) {
        const event = door.running.services.journal.event({ kind: 'group_created' }, requester);
        await door.running.services.storage.createGroup({ ...group, createdAt: 0, updatedAt: 0 }, event);
      }
      for (const { id } of [admins, staff]) await moveTo(door, id, [own], 'add');
    });
    after(() => door.stop());

    const exchange = async (app: TestClient, verifier: string, answer: URL) => {
      const parameters = exchangeParameters(app, answer.searchParams.get('code') ?? '', verifier);
      return (await postForm(door, '/oauth/token', parameters)).body;
    };
    const names = async ({ access_token }: TokenBody) => {
      const headers = { Authorization: `Bearer ${access_token}` };
      const claims = (await (await fetch(`${door.url}/oauth/userinfo`, { headers })).json()) as object;
      return Object.keys(claims).filter((name) => !standard.includes(name));
    };
    const namesOf = (claims: readonly ApplicationClaim[]) => claims.map(({ claim }) => claim);

    for (const [what, claimsBefore, claimsAfter, expected] of changes) {
      test(`${what}: ${expected}`, async () => {
        const app = await door.newClient();
        await setClaims(door, app.id, claimsBefore());
        const { tokens, person } = await obtainTokens(door, app, own);
        assert.deepEqual(await names(tokens), namesOf(claimsBefore()));
        await setClaims(door, app.id, claimsAfter());

        const unchanged = claimsAfter().filter((claim) => !isNew(claim, claimsBefore()));
        assert.deepEqual(await names(tokens), namesOf(unchanged), 'an older grant keeps what it had');
        const verifier = newVerifier();
        const silent = answerOf(await person.visit(authorizePath(app, verifier, { prompt: 'none' })));
        if (expected === 'asks nobody') {
          assert.deepEqual(await names(await exchange(app, verifier, silent)), namesOf(claimsAfter()));
          return;
        }
        assert.equal(silent.searchParams.get('error'), 'consent_required');
        const narrow = answerOf(await person.visit(authorizePath(app, verifier, { scope: 'openid', prompt: 'none' })));
        assert.deepEqual(await names(await exchange(app, verifier, narrow)), []);

        const page = await person.visit(authorizePath(app, verifier));
        assert.equal(page.status, 200);
        const answer = answerOf(await person.submit(await formIn(page, decision), { decision: 'approve' }));
        assert.deepEqual(await names(await exchange(app, verifier, answer)), namesOf(claimsAfter()));
        assert.deepEqual(await names(tokens), namesOf(unchanged), 'an older grant keeps what it had');
        const again = answerOf(await person.visit(authorizePath(app, verifier, { prompt: 'none' })));
        assert.deepEqual(await names(await exchange(app, verifier, again)), namesOf(claimsAfter()));
      });
    }
  });
}

/** Whether a claim isn't among those before, whatever its label and whoever enters it. */
function isNew(claim: ApplicationClaim, before: readonly ApplicationClaim[]): boolean {
  const text = (each: ApplicationClaim) => JSON.stringify({ ...each, label: null, selfAsserted: false });
  return !before.some((each) => text(each) === text(claim));
}

describe('the consent page', () => {
  async function pageOf(claims: readonly ApplicationClaim[], person = user, changes: Record<string, string> = {}) {
    const app = await newApp(claims);
    const browser = new Person(service);
    await browser.signIn(person);
    const response = await browser.visit(authorizePath(app, newVerifier(), changes));
    assert.equal(response.status, 200);
    return { app, browser, page: await response.text() };
  }
  const line = (label: string, value: string) =>
    new RegExp(
      `<strong>${label}</strong> (?:<span class="brief">.*?</summary>\\s*<div>)?${value}\\s*(<span class="badge[^>]*>([^<]*)</span>)?</div>`,
      's',
    );

  test('lists each claim with its value, under its label, that of its attribute, or its name', async () => {
    const { page } = await pageOf([
      claimOf('groups', allGroups, { label: 'Your "groups"' }),
      claimOf('dept', attributeSource('department')),
      claimOf('level', attributeSource('level')),
      claimOf('vip', attributeSource('vip')),
      claimOf('staff', { source: 'has-group', group: staff }),
      claimOf('none', { source: 'groups', groups: [staff] }),
      claimOf('missing', attributeSource('nothing')),
      claimOf('own', attributeSource('teams', true)),
    ]);
    const list = (...items: string[]) =>
      `<ul class="values">${items.map((i) => `<li><bdi>${i}</bdi></li>`).join('')}</ul>`;
    assert.match(page, line('Your &quot;groups&quot;', list('Admins &lt;1&gt;')));
    assert.match(page, line('department', '<bdi>Sales &amp; &quot;more&quot; &lt;b&gt;</bdi>'));
    assert.match(page, line('level', '<bdi>5</bdi>'));
    assert.match(page, line('vip', 'Yes'));
    assert.match(page, line('staff', 'No'));
    assert.match(page, line('none', '<span class="quiet">None</span>'));
    assert.match(page, line('nothing', '<span class="quiet">Not set</span>'));
    assert.equal(line('teams', list('b', 'a')).exec(page)?.[2], 'entered by you');
    assert.equal(page.match(/entered by you/g)?.length, 1);
  });

  test('lists none without the scope that covers them', async () => {
    const { page } = await pageOf([tier], user, { scope: 'openid email' });
    assert.doesNotMatch(page, /tier/);
  });

  test('folds long lists', async () => {
    const teams = Array.from({ length: 200 }, (_, index) => `Team ${index}`);
    const { page } = await pageOf([claimOf('teams', attributeSource('teams'))], await newUserWith(service, { teams }));
    assert.match(page, /Team 2<\/bdi><\/span> <\/span> <span class="more">and 197 more<\/span>/);
    assert.match(page, /Team 199</);
  });

  test('approves the claims that it showed: if they changed meanwhile, it asks again', async () => {
    const { app, browser, page } = await pageOf([tier]);
    const form = await formIn(new Response(page), decision);
    await setClaims(service, app.id, [tier, role()]);
    const again = await browser.submit(form, { decision: 'approve' });
    assert.equal(again.status, 200);
    const second = await again.text();
    assert.match(second, /has changed/);
    assert.equal((await service.rows('consents')).filter((row) => row.client_id === app.id).length, 0);
    await setClaims(service, app.id, []);
    const third = await (
      await browser.submit(await formIn(new Response(second), decision), { decision: 'approve' })
    ).text();
    assert.match(third, /has changed/);
    const last = await browser.submit(await formIn(new Response(third), decision), { decision: 'approve' });
    assert.ok(answerOf(last).searchParams.get('code'));
  });
});

test('too many for an ID token are left out of it together, and an event says so', async () => {
  const person = await newUserWith(service, { teams: ['x'.repeat(1024)] });
  const large = [1, 2, 3, 4].map((n) => claimOf(`teams${n}`, attributeSource('teams'), { idToken: true }));
  const app = await newApp([...large, claimOf('tier', { source: 'value', value: 'gold' }, { idToken: true })]);
  const { tokens } = await obtainTokens(service, app, person);
  const dropped = async () =>
    (await service.events('id_token_claims_dropped')).filter(({ clientId }) => clientId === app.id);
  for (const [index, issued] of [tokens, await refreshed(app, tokens)].entries()) {
    assert.deepEqual(Object.keys(decodeJwt(issued.id_token)), inEveryIdToken);
    assert.equal((await claimsOf(issued)).tier, 'gold');
    assert.ok((await dropped()).length > index);
  }
  const [event] = await dropped();
  assert.equal(event?.userId, person.id);
  assert.ok(Number(event?.detail?.bytes) > 4096);
  for (let count = 0; count < 210; count++) await refreshed(app, tokens);
  assert.ok((await dropped()).length <= 200, 'the number of such events is limited');
  await setClaims(service, app.id, large.slice(1));
  assert.equal(Object.hasOwn(decodeJwt((await refreshed(app, tokens)).id_token), 'teams2'), true);
});

describe('connected apps', () => {
  test('show what an application receives: what was agreed to and is still configured', async () => {
    const person = await newUserWith(service, everything);
    const app = await newApp([tier, dept(true), { ...role(), label: 'Role' }]);
    const { person: browser } = await obtainTokens(service, app, person);
    const seen = async () => {
      const page = await (await browser.visit('/account/apps')).text();
      const { data } = (await (await browser.request('/api/me/apps')).json()) as {
        data: { items: { claims: string[] }[] };
      };
      const own = (await (await browser.request('/account/data.json')).json()) as {
        connected_apps: { claims: object }[];
      };
      return {
        labels: [...page.matchAll(/<div class="claim"><dt>([^<]*)/g)].map(([, label]) => label),
        marks: page.match(/entered by you/g)?.length ?? 0,
        names: data.items[0]?.claims,
        values: own.connected_apps[0]?.claims,
      };
    };
    assert.deepEqual(await seen(), {
      labels: ['tier', 'department', 'Role'],
      marks: 1,
      names: ['tier', 'dept', 'role'],
      values: { tier: 'gold', dept: everything.department },
    });
    await setClaims(service, app.id, [claimOf('plan', { source: 'value', value: 'new' }), dept(false)]);
    assert.deepEqual(await seen(), {
      labels: ['department'],
      marks: 0,
      names: ['dept'],
      values: { dept: everything.department },
    });
  });

  test('show nothing more for a consent without the scope that covers it', async () => {
    const app = await newApp([tier]);
    const person = await newUserWith(service, {});
    const { person: browser } = await obtainTokens(service, app, person, { scope: 'openid' });
    assert.doesNotMatch(await (await browser.visit('/account/apps')).text(), /class="claim"/);
  });
});

describe('a preview', () => {
  const find = async (app: TestClient) => {
    const client = await service.running.services.storage.findClient(app.id);
    assert.ok(client);
    return client;
  };
  test('is exactly what the application gets', async () => {
    const app = await newApp(ofEachKind());
    for (const scopes of [['openid', 'profile', 'email'], ['openid', 'email'], ['profile']] as const) {
      const { tokens } = await obtainTokens(service, app, user, { scope: scopes.join(' ') });
      const client = await find(app);
      const preview = await previewClaims(service.running.services, client, user.record, scopes, requester);
      assert.equal(JSON.stringify(preview.userinfo), await userinfo(tokens));
      const { exp, iat, at_hash, auth_time, nonce, amr, sid, acr, ...rest } = decodeJwt(tokens.id_token);
      assert.equal(JSON.stringify(preview.idToken), JSON.stringify(rest));
      assert.equal(preview.dropped, false);
    }
    const [event] = (await service.events('claims_previewed')).slice(-3);
    assert.deepEqual([event?.clientId, event?.userId], [app.id, user.id]);
    assert.deepEqual(event?.detail, { scope: 'openid profile email' });
  });

  test('leaves out what is too large for the ID token, as a token does', async () => {
    const person = await newUserWith(service, { teams: ['x'.repeat(1024)] });
    const app = await newApp([1, 2, 3, 4].map((n) => claimOf(`t${n}`, attributeSource('teams'), { idToken: true })));
    const { services } = service.running;
    const preview = await previewClaims(services, await find(app), person.record, ['openid', 'profile'], requester);
    assert.deepEqual(Object.keys(preview.idToken), ['iss', 'sub', 'aud']);
    assert.equal(preview.dropped, true);
    assert.deepEqual(
      await service.events('id_token_claims_dropped').then((all) => all.filter((e) => e.clientId === app.id)),
      [],
    );
  });
});
