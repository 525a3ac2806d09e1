import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { instanceWatch } from '../../src/cli/service/instance-watch.ts';
import type { LiveInstances } from '../../src/operations/instances/instances.ts';
import { operationMeters } from '../../src/operations/meters.ts';
import { exposition } from '../../src/platform/metrics/listener.ts';
import { MetricRegistry } from '../../src/platform/metrics/registry.ts';
import type { ComparedInstance } from '../../src/protocol/instances.ts';

const instance = (id: string, ...mismatch: ComparedInstance['mismatch']): ComparedInstance => ({
  id,
  version: '1.0.0',
  baseUrl: 'https://id.example',
  keyIds: ['key1'],
  eventsDays: 365,
  breachesDigest: null,
  startedAt: 0,
  lastSeenAt: 0,
  silence: 0,
  clockOffset: 0,
  clockAhead: 0,
  ready: true,
  mismatch,
});

let elapsed = 0;
let registry: MetricRegistry;
beforeEach(() => {
  registry = new MetricRegistry();
});
function watched() {
  const lines: string[] = [];
  const level = (name: string) => (line: string) => lines.push(`${name}: ${line}`);
  const log = { info: level('info'), warn: level('warn'), error: level('error') } as never;
  const watch = instanceWatch({ meters: operationMeters(registry) }, 'a', log, () => elapsed);
  return (found: Partial<LiveInstances>) => {
    watch({ instances: [], waiting: [], storeAhead: 0, ...found });
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

test('a wrong clock is an error when it begins and when another one is off, and is noted when it ends', () => {
  const linesAfter = watched();
  const off = (id: string, seconds: number, ready: boolean): ComparedInstance => ({
    ...instance(id, 'clock'),
    clockAhead: seconds * 1000,
    ready,
  });
  assert.deepEqual(linesAfter({ instances: [off('a', 300, false), instance('b')] }), [
    "error: The clock of a is 300 s ahead of the store's, so it isn't ready. Synchronize the clocks (NTP): codes and tokens expire by them.",
  ]);
  const offsets = () => exposition(registry.snapshot()).match(/(?<=^latchkey_clock_offset_seconds\S+ ).+$/gm);
  assert.deepEqual(offsets(), ['300', '0']);
  assert.deepEqual(linesAfter({ instances: [off('a', 301, false), instance('b')] }), [], 'it goes on');
  assert.match(
    linesAfter({ instances: [off('a', 6, true), instance('b')] }).join(),
    /^error: .* 6 s ahead of the store's\. Sync/,
  );
  const most = [instance('a'), instance('b'), off('c', -300, true)];
  assert.match(
    linesAfter({ instances: most, storeAhead: -300_000 }).join(),
    /^error: The store's clock is 300 s behind those of most instances\. The clock of c is 300 s behind those of most instances\. Sync/,
  );
  assert.deepEqual(offsets(), ['0', '-300']);
  const over = 'info: the clocks of all instances and of the store agree again';
  assert.deepEqual(linesAfter({ instances: [instance('a')] }), [over]);
  assert.deepEqual(linesAfter({ instances: [instance('a')] }), []);
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
