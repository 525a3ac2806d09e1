// The other half of T63: requests of a directory that are malformed, too large or too many, and text that is meant for somebody who
// reads it later. None of them is a 5xx.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAttribute } from '../../src/operations/attributes/attributes.ts';
import { urns } from '../../src/protocol/scim/urns.ts';
import { newKey } from '../harness/api.ts';
import { firstUntilRelease } from '../harness/lane.ts';
import { Person } from '../harness/person.ts';
import { directoryWith, newDirectory, type ScimResponse, type TestDirectory } from '../harness/scim.ts';
import { requester, startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let directory: TestDirectory;
let count = 0;

before(async () => {
  service = await startTestService();
  directory = await newDirectory(service);
  const input = { name: 'department', label: 'Department', kind: 'text' } as const;
  assert.equal((await createAttribute(service.running.services, input, requester)).kind, 'done');
});
after(async () => {
  await service?.stop();
  // A fault of ours is logged as an error, whatever the directory saw.
  if (service) assert.doesNotMatch(service.log(), /"level":(50|60)/);
});

const newEmail = () => `input-${++count}@scim.example`;

async function userOf(id: string) {
  const user = await service.running.services.storage.findUser(id);
  assert.ok(user);
  return user;
}

function assertRefused({ status, body }: ScimResponse, what: string, statuses = [400]): void {
  assert.ok(statuses.includes(status), `${what}: ${status}`);
  assert.deepEqual([body.schemas, body.status], [[urns.error], String(status)], what);
}

const person = (more: string) => `{"schemas":["${urns.user}"],"userName":"${newEmail()}"${more}}`;
const patch = (operations: string) => `{"schemas":["${urns.patch}"],"Operations":[${operations}]}`;

test('T63: bodies that are too deep, too large or ambiguous are refused', async () => {
  const id = await directory.create(newEmail());
  const before = await userOf(id);
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const bodies: Record<string, string> = {
    'levels of objects': person(`,"x":${deep(5000)}`),
    'levels of lists': person(`,"emails":${'['.repeat(100_000)}`),
    'a repeated key': person(',"active":false,"active":true'),
    'a repeated key by escapes': person(',"active":false,"\\u0061ctive":true'),
    'a number that JSON has not': person(',"x":NaN'),
    'a comment': person('/* x */'),
    'a trailing comma': person(','),
    'two documents': `${person('')}${person('')}`,
    'a byte order mark inside': person(',\ufeff"x":1'),
    'a control character': person(',"x":"\u0001"'),
  };
  for (const [name, body] of Object.entries(bodies)) {
    assertRefused(await directory.send('POST', '/Users', body), name);
    assertRefused(await directory.send('PUT', `/Users/${id}`, body), name);
    assertRefused(await directory.send('PATCH', `/Users/${id}`, body), name);
  }
  const many = `{"op":"replace","path":"active","value":true},`.repeat(1000);
  const atLimit = patch(many.slice(0, -1));
  assert.equal((await directory.send('PATCH', `/Users/${id}`, atLimit)).status, 204);
  assertRefused(
    await directory.send('PATCH', `/Users/${id}`, patch(`${many}${many.slice(0, -1)}`)),
    'operations',
    [413],
  );
  for (const [method, path] of [
    ['POST', '/Users'],
    ['PUT', `/Users/${id}`],
    ['PATCH', `/Users/${id}`],
    ['POST', '/Groups'],
    ['PATCH', '/Groups/x'],
    ['POST', '/Bulk'],
  ] as const) {
    assertRefused(await directory.send(method, path, `{"x":"${'x'.repeat(1024 * 1024)}"}`), path, [404, 413, 501]);
  }
  const members = Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join();
  const wide = await directory.send('POST', '/Users', person(`,${members.slice(0, 900_000).replace(/,[^,]*$/, '')}`));
  assertRefused(wide, 'each member is an operation', [413]);
  assert.deepEqual(await userOf(id), before);
});

test('T63: names of JavaScript are no attributes, and values that are no text no text', async () => {
  const names = firstUntilRelease(['__proto__', 'constructor', 'toString', '__defineGetter__'], 2);
  const values = firstUntilRelease(['"x"', '{"toString":1,"valueOf":1}', '7', '[[["x"]]]'], 2);
  const id = await directory.create(newEmail(), { name: { givenName: 'Ada' } });
  const before = await userOf(id);
  for (const name of names) {
    for (const value of values) {
      const inside = `{"${name}":${value}}`;
      for (const more of [
        `,"${name}":${value}`,
        `,"name":${inside}`,
        `,"${urns.own}":${inside}`,
        `,"${urns.enterprise}":${inside}`,
      ]) {
        const { status, body } = await directory.send('POST', '/Users', person(more));
        assert.equal(status, 201, `${more}: ${JSON.stringify(body)}`);
        assert.doesNotMatch(JSON.stringify(body), /native code|object Object/);
      }
      for (const path of [
        name,
        `name.${name}`,
        `emails.${name}`,
        `emails[${name} eq "x"].value`,
        `${urns.own}:${name}`,
      ]) {
        for (const op of ['add', 'replace', 'remove']) {
          const operation = `{"op":"${op}","path":${JSON.stringify(path)},"value":${value}}`;
          const answer = await directory.send('PATCH', `/Users/${id}`, patch(operation));
          assert.ok([204, 400].includes(answer.status), operation);
          assert.doesNotMatch(JSON.stringify(answer.body ?? ''), /native code|object Object/, operation);
          const isCore = path === name || path.startsWith('name.');
          if (isCore) assert.equal(answer.body?.scimType, 'invalidPath', operation);
        }
      }
      const without = await directory.send('PATCH', `/Users/${id}`, patch(`{"op":"add","value":${inside}}`));
      assert.equal(without.status, 204, inside);
    }
  }
  assert.deepEqual(await userOf(id), before);
  assert.equal(({} as Record<string, unknown>).x, undefined);

  const odd: unknown[] = [
    7,
    null,
    true,
    [],
    {},
    [[]],
    { toString: 1, valueOf: 1 },
    ['add', 'add'],
    '',
    'move',
    'ADD\0',
    '__proto__',
  ];
  for (const op of odd) {
    const operation = { op, path: 'displayName', value: 'x' };
    assertRefused(await directory.patch(id, operation), `op ${JSON.stringify(op)}`);
  }
  for (const path of [
    7,
    true,
    [],
    {},
    { toString: 1 },
    ['active'],
    'a b',
    'emails[',
    'emails[type eq "\\ud800x',
    `${'a.'.repeat(600)}`,
  ]) {
    assertRefused(
      await directory.patch(id, { op: 'replace', path, value: 'x' }),
      `path ${JSON.stringify(path).slice(0, 40)}`,
    );
  }
  for (const type of [{ toString: 1, valueOf: 1 }, [], 7, null]) {
    const value = [
      { type, value: newEmail() },
      { type: 'work', value: newEmail(), primary: 'no' },
    ];
    assert.equal(
      (await directory.patch(id, { op: 'replace', path: 'emails', value })).status,
      204,
      JSON.stringify(type),
    );
  }
  for (const schemas of [undefined, null, 'x', [], {}, [{}], [7], [[urns.patch]], { 0: urns.patch }]) {
    assertRefused(await directory.send('PATCH', `/Users/${id}`, { schemas, Operations: [] }), 'schemas');
    assertRefused(await directory.send('POST', '/Users', { schemas, userName: newEmail() }), 'schemas');
  }
  for (const Operations of [undefined, null, {}, 'x', [], [[]], [null], ['x']]) {
    assertRefused(await directory.send('PATCH', `/Users/${id}`, { schemas: [urns.patch], Operations }), 'operations');
  }
});

test('T63: active is true or false, and nothing that looks like it', async () => {
  const id = await directory.create(newEmail());
  for (const value of [
    0,
    1,
    '0',
    '1',
    'no',
    '',
    'false ',
    ' false',
    'falsе',
    null,
    [],
    ['x', false],
    {},
    { toString: 1 },
  ]) {
    for (const operation of [
      { op: 'replace', path: 'active', value },
      { op: 'add', value: { active: value } },
      { op: 'remove', path: 'active', value },
    ]) {
      assertRefused(await directory.patch(id, operation), JSON.stringify(operation));
    }
    assertRefused(
      await directory.send('POST', '/Users', { schemas: [urns.user], userName: newEmail(), active: value }),
      'POST',
    );
  }
  assert.equal((await userOf(id)).disabledAt, null);
  for (const value of ['False', 'FALSE', [{ value: 'false' }], [false]]) {
    assert.equal((await directory.patch(id, { op: 'Replace', path: 'ACTIVE', value })).status, 204);
    assert.notEqual((await userOf(id)).disabledAt, null);
    assert.equal((await directory.patch(id, { op: 'replace', path: 'active', value: 'True' })).status, 204);
  }
});

test('T63: text in fields is what a field can have', async () => {
  const id = await directory.create(newEmail());
  const before = await userOf(id);
  const texts = [
    'a\0b',
    '\ud800',
    'a\u202eb',
    'a\r\nSet-Cookie: x',
    'x'.repeat(300),
    {},
    'a\nb',
    '\u001b[2J',
    '\u200b',
    7,
    [],
    true,
  ];
  for (const path of [
    'userName',
    'displayName',
    'name.givenName',
    'externalId',
    'locale',
    'emails',
    `${urns.enterprise}:department`,
  ]) {
    for (const text of firstUntilRelease(texts, 6)) {
      const { status, body } = await directory.patch(id, { op: 'replace', path, value: text });
      assert.ok(status === 400 || status === 204, `${path} ${JSON.stringify(text)}: ${status}`);
      if (status === 400) assert.doesNotMatch(body.detail, /[\0-\u001f]|Set-Cookie/);
      const { name, givenName, externalId, locale, attributes, email } = await userOf(id);
      for (const stored of [name, givenName, locale, email, ...Object.values(attributes).map(String)]) {
        assert.doesNotMatch(stored ?? 'none', /[\0-\u001f\u202e\ud800]|^$/, path);
        assert.ok((stored ?? '').length <= 300, path);
      }
      // An ID is compared, and not shown to anyone who'd take it for another.
      assert.match(externalId ?? 'none', /^[^\0-\u001f\ud800]{1,255}$/);
    }
  }
  assert.equal((await userOf(id)).email, before.email);
  for (const userName of [
    'x',
    'a@',
    '@b',
    'a@b@c.example',
    'a b@c.example',
    'a@127.0.0.1',
    '"a"@b.example',
    'a@b.example\0',
    `${'a'.repeat(300)}@b.example`,
  ]) {
    assertRefused(await directory.send('POST', '/Users', { schemas: [urns.user], userName }), userName.slice(0, 30));
  }
});

test('T63: filters are comparisons, whatever is in them', async () => {
  const own = await newDirectory(service, { source: 'filters' });
  const id = await own.create(newEmail(), { displayName: `O'Brien "the" \\ 100%_`, externalId: "x' OR '1'='1" });
  assert.deepEqual(await own.find(`displayName eq "O'Brien \\"the\\" \\\\ 100%_"`), [id]);
  assert.deepEqual(await own.find(`externalId eq "x' OR '1'='1"`), [id]);
  for (const value of [
    `x' OR '1'='1`,
    `'; DROP TABLE users; --`,
    '%',
    '_',
    '*',
    '$1',
    '\\u0027 OR 1=1',
    '\\\\',
    `\\"`,
    '',
  ]) {
    for (const attribute of ['userName', 'displayName', 'emails.value', 'id']) {
      assert.deepEqual(await own.find(`${attribute} eq "${value}"`), [], `${attribute} ${value}`);
    }
  }
  for (const value of ['%', '_', "'", '$1']) assert.deepEqual(await own.find(`userName sw "${value}"`), []);
  const filters = [
    ' ',
    'userName',
    'userName eq',
    'userName eq x',
    'userName eq "x',
    'userName eq "a" or userName eq "b"',
    'not (userName eq "a")',
    '(userName eq "a")',
    'userName eq "a" and',
    'userName eq "a" userName eq "b"',
    'userName eq "a";',
    'userName eq "a"--',
    'userName eq null',
    'userName eq 7',
    'userName eq "\\u0000"',
    'userName eq "\\ud800"',
    'userName eq "\\x41"',
    `userName co "a"`,
    'active sw "t"',
    'active eq "yes"',
    'password pr',
    'passwordHash eq ""',
    'constructor pr',
    '__proto__ pr',
    'roles eq "administrator"',
    'urn:x:userName eq "a"',
    'emails[type eq "home"].value eq "a"',
    `userName eq "${'a'.repeat(3000)}"`,
    `userName eq "${'\\\\'.repeat(900)}`,
    Array.from({ length: 11 }, () => 'active eq true').join(' and '),
    '('.repeat(2000),
    `userName${' '.repeat(1900)}eq`,
  ];
  for (const filter of filters) {
    const answer = await own.send('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    assertRefused(answer, filter.slice(0, 60));
    assert.equal(answer.body.scimType, 'invalidFilter', filter.slice(0, 60));
  }
  for (const query of ['filter=%ff', 'filter=%', 'filter=id%20pr&filter=id%20pr', 'filter=%00']) {
    const { status, body } = await own.send('GET', `/Users?${query}`);
    assert.ok(status === 400, `${query}: ${status} ${JSON.stringify(body)}`);
  }
});

test('T63: parts of lists and of resources', async () => {
  const own = await newDirectory(service, { source: 'parts' });
  const id = await own.create(newEmail());
  const cases: readonly (readonly [query: string, status: number, found?: number])[] = [
    ['startIndex=-1', 200, 1],
    ['startIndex=0', 200, 1],
    ['startIndex=999999999', 200, 0],
    ['count=-1', 200, 0],
    ['count=0', 200, 0],
    ['count=999999999', 200, 1],
    ['count=9999999999', 400],
    ['startIndex=1e3', 400],
    ['count=1.5', 400],
    ['count=', 200, 1],
    ['count=0x10', 400],
    ['count=NaN', 400],
    ['count=١', 400],
    ['startIndex=1%00', 400],
    ['startIndex=1;DROP', 400],
    ['count=1&count=2', 400],
    ['sortBy=userName', 200, 1],
    ['attributes=__proto__,constructor,password,%2C,userName.x.y', 200, 1],
    [`attributes=${'a,'.repeat(900)}`, 200, 1],
    [`attributes=${'a,'.repeat(1100)}`, 400],
    ['excludedAttributes=id,schemas,meta', 200, 1],
    ['excludedAttributes=__proto__', 200, 1],
    ['attributes=', 200, 1],
  ];
  for (const [query, status, found] of cases) {
    const answer = await own.send('GET', `/Users?${query}`);
    assert.equal(answer.status, status, query.slice(0, 60));
    if (status !== 200) assertRefused(answer, query);
    else {
      assert.deepEqual([answer.body.totalResults, answer.body.Resources.length], [1, found], query);
      assert.ok(answer.body.startIndex >= 1, query);
      for (const each of answer.body.Resources) assert.equal(each.id, id, 'always there');
    }
    if (!/count|startIndex/.test(query)) {
      assert.equal((await own.send('GET', `/Users/${id}?${query}`)).status, status, query);
    }
  }
});

test('T63: other kinds of content', async () => {
  const send = async (type: string | undefined, body: string | Uint8Array<ArrayBuffer>) => {
    service.clock.advance(1);
    const headers = {
      Authorization: `Bearer ${directory.secret}`,
      ...(type !== undefined && { 'Content-Type': type }),
    };
    return (await fetch(`${service.url}/scim/v2/Users`, { method: 'POST', headers, body })).status;
  };
  const form = new URLSearchParams({ userName: newEmail(), schemas: urns.user }).toString();
  assert.ok([400, 415].includes(await send('application/x-www-form-urlencoded', form)));
  for (const type of [
    'text/plain',
    'text/html',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/scim',
    '*/*',
    'x',
  ]) {
    assert.ok([400, 415].includes(await send(type, person(''))), type);
  }
  for (const type of ['application/scim+json; charset=utf-16', 'application/json; charset=latin1']) {
    assert.ok([201, 400, 415].includes(await send(type, person(''))), type);
  }
  assert.equal(await send('application/scim+json', new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0])), 400);
  assert.equal(await send('application/scim+json', Uint8Array.from(Buffer.from(person(',"x":"\xff"'), 'latin1'))), 400);
  service.clock.advance(1);
  const headers = {
    Authorization: `Bearer ${directory.secret}`,
    'Content-Type': 'application/scim+json',
    'Content-Encoding': 'gzip',
  };
  const packed = await fetch(`${service.url}/scim/v2/Users`, { method: 'POST', headers, body: person('') });
  assert.ok(packed.status < 500);
});

test('T63: too many requests, and too many wrong tokens', async () => {
  const fast = await newDirectory(service, { source: 'fast' });
  const headers = { Authorization: `Bearer ${fast.secret}` };
  const ask = () => fetch(`${service.url}/scim/v2/Users`, { headers });
  const answers = await Promise.all(Array.from({ length: 80 }, ask));
  assert.equal(answers.filter(({ status }) => status === 200).length, 50);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assert.equal(answer.status, 429);
    assert.match(answer.headers.get('Retry-After') ?? '', /^[1-9]\d*$/);
    assert.match(answer.headers.get('Content-Type') ?? '', /^application\/scim\+json/);
    assert.equal(((await answer.json()) as { status: string }).status, '429');
  }
  service.clock.advance(1);
  assert.equal((await ask()).status, 200);
  // A refused request changes nothing, whatever it asks for.
  const email = newEmail();
  await Promise.all(Array.from({ length: 60 }, ask));
  const late = await fetch(`${service.url}/scim/v2/Users`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/scim+json' },
    body: JSON.stringify({ schemas: [urns.user], userName: email }),
  });
  assert.equal(late.status, 429);
  assert.equal(await service.running.services.storage.findUserByEmail(email), undefined);

  const guesses = await Promise.all(
    Array.from({ length: 320 }, (_, index) =>
      fetch(`${service.url}/scim/v2/Users`, {
        headers: { Authorization: `Bearer lk_scim_${String(index).padStart(43, 'A')}` },
      }),
    ),
  );
  const statuses = new Set(guesses.map(({ status }) => status));
  assert.deepEqual([...statuses].sort(), [401, 429]);
  // Those who have a token aren't kept out by who hasn't.
  assert.equal((await directory.send('GET', '/Users?count=0')).status, 200);
  assert.equal((await directoryWith(service, 'wrong').send('GET', '/Users')).status, 429);
  service.clock.advance(16 * 60);
});

test('T63: what a directory writes is text in logs, events, pages and downloads', async () => {
  const html = '<img src=x onerror=alert(1)>';
  const values = [html, `"><script>alert(1)</script>`, `=cmd|'/c calc'!A1`, '@SUM(A1)', '+1+1', '-1', '＝1+1'];
  const ids: string[] = [];
  const externalId = 'ext-"}\\u000a{"level":60,"msg":"forged"}';
  for (const [index, value] of values.entries()) {
    const name = { givenName: value, familyName: value };
    const more = {
      displayName: value,
      name,
      externalId: `${externalId}${index}`,
      [urns.enterprise]: { department: value },
    };
    ids.push(await directory.create(newEmail(), more));
  }
  const [first = ''] = ids;
  await directory.patch(first, { op: 'replace', path: 'name.givenName', value: '<b>again</b>' });
  const admin = new Person(service);
  await admin.signIn(await service.newUser({ admin: true }));
  for (const path of ['/admin/people', `/admin/people/${first}`, '/admin/events', `/admin/events?person=${first}`]) {
    const response = await admin.visit(path);
    assert.equal(response.status, 200, path);
    const page = await response.text();
    assert.doesNotMatch(page, /<img src=x|<script>alert|<b>again/, path);
  }
  const key = await newKey(service, 'read');
  for (const list of ['people', 'events']) {
    const csv = await (await fetch(`${service.url}/api/${list}.csv`, { headers: key.headers('GET') })).text();
    for (const cell of csv.split(/[,;\r\n]/)) assert.doesNotMatch(cell, /^["\s]*[=+\-@＝＋－＠]/, cell);
    const lines = await (await fetch(`${service.url}/api/${list}.jsonl`, { headers: key.headers('GET') })).text();
    for (const line of lines.split('\n').filter(Boolean)) assert.ok(JSON.parse(line));
  }
  const events = JSON.stringify(await service.events());
  for (const text of ['forged', 'onerror', 'calc']) assert.ok(!events.includes(text), text);
  const log = service.log();
  for (const line of log.split('\n').filter(Boolean)) assert.ok(JSON.parse(line));
  for (const text of ['forged', 'onerror', 'calc', 'input-', directory.secret]) assert.ok(!log.includes(text), text);
});
