// Every kind of event in OCSF 1.5.0, held against what https://schema.ocsf.io/1.5.0 says about its class.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toOcsf } from '../../src/cli/events/ocsf/ocsf.ts';
import type { NamedEvent } from '../../src/operations/downloads/list-download.ts';
import type { EventRecord } from '../../src/protocol/event.ts';
import { type EventKind, eventKinds, failureKinds } from '../../src/protocol/events/kinds.ts';

type Json = Readonly<Record<string, unknown>>;

/** Required of every class, and of its objects. */
const required = ['activity_id', 'category_uid', 'class_uid', 'metadata', 'severity_id', 'time', 'type_uid'];
const optional = [
  'activity_name',
  'category_name',
  'class_name',
  'count',
  'message',
  'severity',
  'status',
  'status_detail',
  'status_id',
  'timezone_offset',
  'type_name',
  'unmapped',
  'actor',
];
const iam = ['src_endpoint'];

interface ClassRules {
  readonly name: string;
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly activities: Readonly<Record<number, string>>;
}

/** Of the attributes of each class, those that are used here. */
const classes: Readonly<Record<number, ClassRules>> = {
  3001: {
    name: 'Account Change',
    required: ['user'],
    optional: iam,
    activities: {
      1: 'Create',
      2: 'Enable',
      3: 'Password Change',
      4: 'Password Reset',
      5: 'Disable',
      6: 'Delete',
      10: 'MFA Factor Enable',
      11: 'MFA Factor Disable',
      99: 'Other',
    },
  },
  3002: {
    name: 'Authentication',
    required: ['user'],
    optional: [...iam, 'auth_protocol', 'auth_protocol_id', 'is_mfa', 'is_remote', 'service', 'dst_endpoint'],
    activities: { 1: 'Logon', 2: 'Logoff', 6: 'Preauth' },
  },
  3004: {
    name: 'Entity Management',
    required: ['entity'],
    optional: iam,
    activities: { 1: 'Create', 3: 'Update', 4: 'Delete', 8: 'Enable', 9: 'Disable' },
  },
  3005: {
    name: 'User Access Management',
    required: ['privileges', 'user'],
    optional: [...iam, 'resources'],
    activities: { 1: 'Assign Privileges', 2: 'Revoke Privileges' },
  },
  3006: {
    name: 'Group Management',
    required: ['group'],
    optional: [...iam, 'privileges', 'resource', 'user'],
    activities: {
      1: 'Assign Privileges',
      2: 'Revoke Privileges',
      3: 'Add User',
      4: 'Remove User',
      5: 'Delete',
      6: 'Create',
    },
  },
  6003: {
    name: 'API Activity',
    required: ['actor', 'api', 'src_endpoint'],
    optional: ['resources'],
    activities: { 1: 'Create', 2: 'Read', 3: 'Update', 4: 'Delete', 99: 'Other' },
  },
  6008: { name: 'Application Error', required: [], optional: [], activities: { 1: 'General Error', 99: 'Other' } },
};

/** Objects need at least one of these. */
const atLeastOne: Readonly<Record<string, readonly string[]>> = {
  user: ['account', 'name', 'uid'],
  actor: ['process', 'user', 'session', 'app_name', 'app_uid'],
  src_endpoint: ['ip', 'uid', 'name', 'hostname', 'svc_name'],
  entity: ['name', 'uid'],
  group: ['name', 'uid'],
  service: ['name', 'uid'],
  api: ['operation'],
};

const captions = {
  severity: { 1: 'Informational', 2: 'Low', 3: 'Medium', 4: 'High' },
  status: { 1: 'Success', 2: 'Failure' },
} as const;

function assertSound(event: Json): void {
  const rules = classes[Number(event.class_uid)];
  assert.ok(rules, `class ${event.class_uid}`);
  for (const name of [...required, ...rules.required]) assert.notEqual(event[name], undefined, `${name} is required`);
  const known = [...required, ...optional, ...rules.required, ...rules.optional];
  assert.deepEqual(
    Object.keys(event).filter((name) => !known.includes(name)),
    [],
    'attributes that the class has not',
  );
  assert.equal(event.category_uid, Math.floor(Number(event.class_uid) / 1000));
  assert.equal(event.type_uid, Number(event.class_uid) * 100 + Number(event.activity_id));
  assert.equal(event.class_name, rules.name);
  assert.equal(event.activity_name, rules.activities[Number(event.activity_id)]);
  assert.equal(event.type_name, `${rules.name}: ${event.activity_name}`);
  assert.equal(event.severity, captions.severity[event.severity_id as 1]);
  assert.equal(event.status, captions.status[event.status_id as 1]);
  assert.ok(Number.isInteger(event.time));
  const { version, product, uid, event_code: code } = event.metadata as Json;
  assert.deepEqual(
    [version, typeof (product as Json).name, typeof uid, typeof code],
    ['1.5.0', 'string', 'string', 'string'],
  );
  if (event.class_uid === 3002) assert.ok(event.service ?? event.dst_endpoint);
  for (const [name, members] of Object.entries(atLeastOne)) assertHasOne(event, name, members);
  assert.doesNotMatch(JSON.stringify(event), /:null|:""/);
}

function assertHasOne(event: Json, name: string, members: readonly string[]): void {
  if (event[name] === undefined) return;
  const part = event[name] as Json;
  assert.ok(
    members.some((member) => part[member] !== undefined),
    `${name}: ${JSON.stringify(part)}`,
  );
  if (name === 'actor' && part.user !== undefined) assertHasOne(part, 'user', atLeastOne.user ?? []);
}

const base = { id: '01kvcm3x7h2q9d5w8r4t6y1e0b', at: 1_790_000_000_000, address: '203.0.113.7', requestId: 'r-1' };
const bare = { email: undefined, application: undefined, actor: undefined };
const person = { userId: '0ada', clientId: 'photos' };
const detail = { reason: 'wrong_password', group: 'Staff', key: '0key', method: 'password_and_code', count: 3 };

/** An event of a kind with everything that it can mention, and with nothing. */
function shapes(kind: EventKind): NamedEvent[] {
  const event: EventRecord = { ...base, kind };
  const named = { email: 'ada@example.com', application: 'Photos', actor: 'eve@example.com' };
  const administrator = { kind: 'administrator', id: '0eve' } as const;
  return [
    { ...named, event: { ...event, ...person, detail, actor: administrator } },
    { ...bare, event: { ...event, ...person, actor: administrator } },
    {
      ...bare,
      event: {
        ...event,
        detail: { reasons: ['a', 'b'], email: 'new@example.com' },
        actor: { ...administrator, kind: 'api_key' },
      },
    },
    { ...bare, event: { ...event, userId: '0ada', address: 'command line' } },
    { ...bare, event: { ...event, address: '', requestId: '' } },
  ];
}

const inOcsf = (named: NamedEvent): Json => JSON.parse(JSON.stringify(toOcsf(named, 'In words.', '0.3.0')));

describe('OCSF', () => {
  for (const kind of eventKinds) {
    test(kind, () => {
      for (const named of shapes(kind)) {
        const event = inOcsf(named);
        assertSound(event);
        assert.equal((event.metadata as Json).event_code, kind);
        assert.equal(event.message, 'In words.');
        if (failureKinds.includes(kind)) assert.equal(event.status, 'Failure');
      }
    });
  }

  test('a failed sign-in has the person, application, IP address and reason', () => {
    const event = { ...base, ...person, kind: 'sign_in_failed', detail: { reason: 'wrong_password' } } as const;
    const named = { ...bare, email: 'ada@example.com', application: 'Photos', event };
    assert.deepEqual(inOcsf(named), {
      category_uid: 3,
      category_name: 'Identity & Access Management',
      class_uid: 3002,
      class_name: 'Authentication',
      activity_id: 1,
      activity_name: 'Logon',
      type_uid: 300201,
      type_name: 'Authentication: Logon',
      severity_id: 2,
      severity: 'Low',
      status_id: 2,
      status: 'Failure',
      status_detail: 'wrong_password',
      time: 1_790_000_000_000,
      timezone_offset: 0,
      message: 'In words.',
      metadata: {
        version: '1.5.0',
        product: { name: 'Latchkey', vendor_name: 'Latchkey', version: '0.3.0' },
        uid: base.id,
        event_code: 'sign_in_failed',
        correlation_uid: 'r-1',
      },
      actor: { user: { uid: '0ada', name: 'ada@example.com' }, app_uid: 'photos', app_name: 'Photos' },
      src_endpoint: { ip: '203.0.113.7' },
      user: { uid: '0ada', name: 'ada@example.com', email_addr: 'ada@example.com' },
      service: { name: 'Photos', uid: 'photos' },
      is_remote: true,
      unmapped: { reason: 'wrong_password' },
    });
  });

  test("an administrator's change has the administrator as actor and the person as user", () => {
    const event = {
      ...base,
      userId: '0ada',
      kind: 'user_disabled',
      actor: { kind: 'administrator', id: '0eve' },
    } as const;
    const { actor, user } = inOcsf({ ...bare, email: 'ada@example.com', actor: 'eve@example.com', event });
    assert.deepEqual(actor, {
      user: { uid: '0eve', name: 'eve@example.com', email_addr: 'eve@example.com', type_id: 2 },
    });
    assert.equal((user as Json).name, 'ada@example.com');
  });

  test('giving a person and a group access to an application are different classes', () => {
    const event = { ...base, clientId: 'photos', kind: 'access_allowed' } as const;
    assert.equal(inOcsf({ ...bare, event: { ...event, userId: '0ada' } }).class_uid, 3005);
    assert.equal(inOcsf({ ...bare, event: { ...event, detail: { group: 'Staff' } } }).class_uid, 3006);
  });
});
