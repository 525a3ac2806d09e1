import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instanceWatch } from '../../src/cli/service/instance-watch.ts';
import type { LiveInstances } from '../../src/operations/instances/instances.ts';
import { operationMeters } from '../../src/operations/meters.ts';
import { MetricRegistry } from '../../src/platform/metrics/registry.ts';
import type { ComparedInstance, SharedFact } from '../../src/protocol/instances.ts';

const instance = (id: string, ...mismatch: SharedFact[]): ComparedInstance => ({
  id,
  version: '1.0.0',
  baseUrl: 'https://id.example',
  keyIds: ['key1'],
  eventsDays: 365,
  breachesDigest: null,
  startedAt: 0,
  lastSeenAt: 0,
  silence: 0,
  mismatch,
});

let elapsed = 0;
function watched() {
  const lines: string[] = [];
  const level = (name: string) => (line: string) => lines.push(`${name}: ${line}`);
  const log = { info: level('info'), warn: level('warn'), error: level('error') } as never;
  const watch = instanceWatch({ meters: operationMeters(new MetricRegistry()) }, log, () => elapsed);
  return (found: Partial<LiveInstances>) => {
    watch({ instances: [], waiting: [], ...found });
    return lines.splice(0);
  };
}

test('a mismatch is an error when it begins and when it changes, and is noted when it ends', () => {
  const linesAfter = watched();
  const equal = [instance('a'), instance('b'), instance('c')];
  assert.deepEqual(linesAfter({ instances: equal }), []);
  const different = [instance('a'), instance('b', 'keys', 'breached_passwords'), instance('c')];
  assert.match(
    linesAfter({ instances: different }).join(),
    /^error: Instances on this store have different keys \(.*\), filters of breached passwords \(.*\): b\. /,
  );
  assert.deepEqual(linesAfter({ instances: different }), []);
  assert.match(
    linesAfter({ instances: [instance('a', 'base_url'), instance('b', 'base_url')] }).join(),
    /^error: .*different base URLs \(LATCHKEY_BASE_URL\): a, b\./,
  );
  assert.deepEqual(linesAfter({ instances: equal }), ['info: all instances have the same settings and keys again']);
  assert.deepEqual(linesAfter({ instances: equal }), []);
});

test('a key that still waits after 90 seconds is logged once, with the instances that lack it', () => {
  const linesAfter = watched();
  elapsed = 1000;
  const waiting = [{ keyId: 'key2', lacking: ['b', 'c'] }];
  assert.deepEqual(linesAfter({ waiting }), []);
  elapsed += 89_999;
  assert.deepEqual(linesAfter({ waiting }), []);
  elapsed += 1;
  assert.match(linesAfter({ waiting }).join(), /^warn: the new key key2 isn't used yet, .* Without it: b, c$/);
  elapsed += 3_600_000;
  assert.deepEqual(linesAfter({ waiting }), []);
  assert.deepEqual(linesAfter({}), []);
  assert.deepEqual(linesAfter({ waiting }), [], 'it waits anew');
});
