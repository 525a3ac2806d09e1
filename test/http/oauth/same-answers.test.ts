// The OAuth endpoints and authorization requests have one implementation and several ways through it: what the embedded
// store has at once is answered in the same turn, what a database server has in a later one; and a request that needs no page
// is answered in front of the framework. Over generated histories, all ways give the same bytes, events, log and metrics.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { History } from '../../harness/generated-history.ts';
import { isReleaseLane } from '../../harness/lane.ts';
import { Lockstep, type Variant } from '../../harness/lockstep.ts';

const steps = isReleaseLane ? 1500 : 200;

const ways: readonly Variant[] =
  process.env.TEST_ENGINE === 'postgres'
    ? [
        { name: 'embedded', engine: 'embedded' },
        { name: 'PostgreSQL', engine: 'postgres' },
        { name: 'PostgreSQL through the framework', engine: 'postgres', authorizesInFront: false },
      ]
    : [
        { name: 'in the same turn', engine: 'embedded' },
        { name: 'in a later turn', engine: 'embedded', answersLater: true },
        { name: 'through the framework', engine: 'embedded', authorizesInFront: false },
      ];

/** What a history has to contain, or it would prove too little. */
const expected = [
  '/oauth/token 200',
  '/oauth/token with claims',
  '/oauth/token 400',
  '/oauth/token 401',
  '/oauth/userinfo 200',
  '/oauth/userinfo with claims',
  '/oauth/userinfo 401',
  '/oauth/revoke 200',
  '/oauth-authorize 200',
  '/oauth-authorize 302',
  '/oauth-authorize 400',
];

test('every way through the service gives the same answers', async () => {
  const seed = process.env.TEST_SEED ?? randomBytes(6).toString('hex');
  const all = await Lockstep.start(ways, seed, { LATCHKEY_TRUST_PROXY: '127.0.0.1' });
  try {
    const history = new History(all, seed);
    await history.begin();
    const missing = () => expected.filter((answer) => !history.answers.has(answer));
    // One seed in many takes longer to get everywhere.
    for (let step = 0; step < steps || (missing().length > 0 && step < 20 * steps); step++) {
      if (step === steps - steps / 10) await history.drain();
      await history.step();
    }
    await all.compareEvents();
    await all.compareLogs();
    await all.compareMetrics();
    assert.deepEqual(missing(), [], `seed ${seed}`);
  } finally {
    await all.stop();
  }
});
