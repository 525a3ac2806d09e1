import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleEvents } from '../../../src/protocol/admin/event-subjects.ts';
import { permissions } from '../../../src/protocol/admin/rights.ts';
import { eventKinds, kindsOfEvents } from '../../../src/protocol/events/kinds.ts';

test('administrators, auditors, keys with a permission and the command line see every event', () => {
  assert.equal(visibleEvents(undefined), undefined);
  for (const permission of permissions) assert.equal(visibleEvents({ permission }), undefined);
  for (const roles of [['administrator'], ['auditor'], ['people', 'auditor']] as const) {
    assert.equal(visibleEvents({ roles }), undefined);
  }
});

test('the other roles see what is about people, or about applications, and nobody without a role sees any', () => {
  const [people, applications] = [visibleEvents({ roles: ['people'] }), visibleEvents({ roles: ['applications'] })];
  assert.deepEqual(people?.ofApplications, []);
  assert.deepEqual(applications?.ofPeople, []);
  assert.deepEqual(visibleEvents({ roles: ['people', 'applications'] }), {
    ofPeople: people?.ofPeople,
    ofApplications: applications?.ofApplications,
  });
  assert.deepEqual(visibleEvents({ roles: [] }), { ofPeople: [], ofApplications: [] });
  for (const kind of eventKinds) {
    const { about: subject } = kindsOfEvents[kind];
    assert.equal(people?.ofPeople.includes(kind), subject === 'person' || subject === 'both', kind);
    assert.equal(applications?.ofApplications.includes(kind), subject === 'application' || subject === 'both', kind);
  }
});

test('what is about roles, keys, settings and the service itself is for those who see everything', () => {
  const ofService =
    /^(api_key|settings|webhook|upstream|attribute|service_keys|events_suppressed|administration|mail|set_up)/;
  for (const kind of [...eventKinds.filter((each) => ofService.test(each)), 'user_made_administrator'] as const) {
    assert.equal(kindsOfEvents[kind].about, 'service', kind);
  }
});
