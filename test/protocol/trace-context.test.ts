import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isTraceId, readTraceParent } from '../../src/protocol/trace-context.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const valid = `00-${traceId}-${spanId}-01`;

describe('valid traceparent headers', () => {
  for (const [name, header, flags] of [
    ['with the flag that it is recorded', valid, 1],
    ['without it', `00-${traceId}-${spanId}-00`, 0],
    ['with unknown flags', `00-${traceId}-${spanId}-ff`, 255],
    ['of a later version', `01-${traceId}-${spanId}-01`, 1],
    ['of a later version that says more', `cc-${traceId}-${spanId}-01-what.the-future`, 1],
  ] as const) {
    test(name, () => assert.deepEqual(readTraceParent(header), { traceId, spanId, flags }));
  }
});

describe('ignored traceparent headers', () => {
  for (const [name, header] of Object.entries({
    'none at all': undefined,
    'an empty one': '',
    'a list of two': [valid, valid],
    'two in one header': `${valid}, ${valid}`,
    'the version that is forbidden': `ff-${traceId}-${spanId}-01`,
    'version 00 that says more': `${valid}-more`,
    'a later version with more that is not set apart': `01-${traceId}-${spanId}-01more`,
    'a trace of zeros': `00-${'0'.repeat(32)}-${spanId}-01`,
    'a span of zeros': `00-${traceId}-${'0'.repeat(16)}-01`,
    'capital letters': valid.toUpperCase(),
    'a trace that is too short': `00-${traceId.slice(1)}-${spanId}-01`,
    'a trace that is too long': `00-${traceId}a-${spanId}-01`,
    'no hexadecimal digits': `00-${'g'.repeat(32)}-${spanId}-01`,
    'one flag': `00-${traceId}-${spanId}-1`,
    'spaces around it': ` ${valid} `,
    'a line break after it': `${valid}\n`,
    'a later version that never ends': `01-${traceId}-${spanId}-01-${'x'.repeat(1000)}`,
    'a forged one': '<script>alert(1)</script>',
  })) {
    test(name, () => assert.equal(readTraceParent(header), undefined));
  }
});

test("a request ID isn't a trace ID", () => {
  assert.equal(isTraceId(traceId), true);
  for (const text of ['', 'aB3dE6gH-1z', traceId.slice(1), `${traceId}0`]) assert.equal(isTraceId(text), false, text);
});
