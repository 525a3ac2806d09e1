import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exposition } from '../../../src/platform/metrics/listener.ts';
import { MetricRegistry } from '../../../src/platform/metrics/registry.ts';

test("unregistered labels aren't counted and cause no error", () => {
  const registry = new MetricRegistry();
  // Labels as strings, as if they had come from somewhere that the compiler doesn't see.
  const labels: { reason: readonly string[] } = { reason: ['known', 'other'] };
  const counter = registry.counter('latchkey_things_total', 'Things.', labels);
  const gauge = registry.gauge('latchkey_things', 'Things.', labels);
  const histogram = registry.histogram('latchkey_things_seconds', 'Things.', [1], labels);
  const before = exposition(registry.snapshot());
  for (const reason of ['', 'unknown', 'known\nother', '__proto__', 'x'.repeat(100_000)]) {
    counter.add({ reason });
    counter.set({ reason }, 5);
    gauge.set({ reason }, 5);
    histogram.observe({ reason }, 0.5);
  }
  assert.equal(exposition(registry.snapshot()), before);
  counter.add({ reason: 'known' });
  assert.match(exposition(registry.snapshot()), /^latchkey_things_total\{reason="known"\} 1$/m);
});
