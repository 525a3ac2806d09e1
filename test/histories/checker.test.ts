// Which histories one order explains, and which none does. Times are in milliseconds; each row is one request.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shrunk, violationsIn } from '../../histories/checker.ts';
import type { Action, Operation, Outcome } from '../../histories/operation.ts';

type Row = readonly [start: number, end: number, action: Action, outcome?: Outcome];

const history = (rows: readonly Row[]): Operation[] =>
  rows.map(([start, end, action, outcome = 'done']) => ({
    ...action,
    start,
    end,
    outcome,
    response: outcome,
    instance: 'one',
  }));

const session = 1;
const signIn = { kind: 'sign-in', session } as const;
const signOut = { kind: 'sign-out', session } as const;
const removal = { kind: 'remove-access', session } as const;
const disable = { kind: 'disable' } as const;
const enable = { kind: 'enable' } as const;
const approve = (grant: number, by = session) => ({ kind: 'approve', session: by, grant }) as const;
const authorize = (grant: number, by = session) => ({ kind: 'authorize', session: by, grant }) as const;
const exchange = (grant = 1) => ({ kind: 'exchange', grant }) as const;
const refresh = (grant = 1) => ({ kind: 'refresh', grant }) as const;
const revoke = (grant = 1) => ({ kind: 'revoke', grant }) as const;
const userinfo = (token = 1, grant = 1) => ({ kind: 'userinfo', grant, token }) as const;
const revokeToken = (token = 1, grant = 1) => ({ kind: 'revoke-token', grant, token }) as const;

/** Someone signs in, approves and has a code for grant 1. */
const begun: readonly Row[] = [
  [0, 10, signIn],
  [20, 30, approve(1)],
];
/** And tokens. */
const active: readonly Row[] = [...begun, [40, 50, exchange()]];

const explained: Record<string, readonly Row[]> = {
  'nothing at all': [],
  'tokens that work until they are revoked': [
    ...active,
    [60, 70, userinfo()],
    [61, 71, refresh()],
    [80, 90, revoke()],
    [100, 110, userinfo(), 'refused'],
    [100, 110, refresh(), 'refused'],
  ],
  'of two exchanges at once, one is refused': [...begun, [40, 60, exchange()], [45, 50, exchange(), 'refused']],
  'userinfo that began before the revocation was acknowledged': [
    ...active,
    [60, 100, revoke()],
    [70, 80, userinfo(), 'refused'],
    [65, 120, userinfo()],
  ],
  'an exchange without a response that took place': [
    ...begun,
    [40, 50, exchange(), 'unknown'],
    [60, 70, exchange(), 'refused'],
  ],
  'an exchange without a response that did not': [
    ...begun,
    [40, 50, exchange(), 'unknown'],
    [60, 70, exchange()],
    [80, 90, userinfo()],
  ],
  'a revocation without a response that takes place much later': [
    ...active,
    [60, 70, revoke(), 'unknown'],
    [80, 90, userinfo()],
    [100, 110, userinfo()],
    [5000, 5010, userinfo(), 'refused'],
  ],
  'an exchange that changed nothing, as it was said': [
    ...begun,
    [40, 50, exchange(), 'unchanged'],
    [60, 70, exchange()],
  ],
  'an access token that was revoked alone': [
    ...active,
    [60, 70, refresh()],
    [80, 90, revokeToken(1)],
    [100, 110, userinfo(1), 'refused'],
    [100, 110, userinfo(2)],
  ],
  'access that is removed and given again': [
    ...active,
    [60, 70, removal],
    [80, 90, authorize(9), 'refused'],
    [100, 110, approve(2)],
    [120, 130, authorize(3)],
    [140, 150, removal],
    [160, 170, removal, 'refused'],
    [180, 190, userinfo(), 'refused'],
    [180, 190, exchange(3), 'refused'],
  ],
  'a second approval that comes after a removal at the same time': [
    ...active,
    [60, 100, approve(2)],
    [60, 100, removal],
    [110, 120, authorize(3)],
    [130, 140, userinfo(), 'refused'],
  ],
  'someone who is disabled and enabled has to sign in again': [
    ...active,
    [60, 70, disable],
    [80, 90, disable, 'refused'],
    [80, 90, { kind: 'sign-in', session: 2 }, 'refused'],
    [100, 110, enable],
    [120, 130, enable, 'refused'],
    [120, 130, authorize(9), 'signed-out'],
    [120, 130, refresh(), 'refused'],
    [140, 150, { kind: 'sign-in', session: 3 }],
    [160, 170, authorize(2, 3)],
    [180, 190, exchange(2)],
  ],
  'a sign-out leaves tokens alone': [
    ...active,
    [60, 70, signOut],
    [80, 90, userinfo()],
    [80, 90, authorize(2), 'signed-out'],
    [80, 90, removal, 'signed-out'],
  ],
  'a code that is refused after a minute': [...begun, [61_000, 61_010, exchange(), 'refused']],
  'a replay within ten seconds is harmless': [...active, [60, 70, exchange(), 'refused'], [80, 90, userinfo()]],
  'a late replay ends the grant': [
    ...active,
    [12_000, 12_010, exchange(), 'refused'],
    [12_020, 12_030, userinfo(), 'refused'],
  ],
  'a replay after about ten seconds may have been late': [
    ...active,
    [10_000, 10_200, exchange(), 'refused'],
    [12_000, 12_030, userinfo()],
  ],
  'many revocations without a response, some of which took place': [
    ...Array.from({ length: 12 }, (_, index): Row => [100 + index, 5000, revokeToken(index + 2), 'unknown']),
    ...Array.from({ length: 12 }, (_, index): Row => [6000, 6010, userinfo(index + 2), index % 2 ? 'refused' : 'done']),
    ...active,
  ],
};

const unexplained: Record<string, readonly Row[]> = {
  'a code that was used twice': [...begun, [40, 60, exchange()], [45, 50, exchange()]],
  'a code that was used again after a refusal': [
    ...begun,
    [40, 50, exchange()],
    [60, 70, exchange(), 'refused'],
    [80, 90, exchange()],
  ],
  'a token that is accepted after its revocation': [...active, [60, 70, revoke()], [80, 90, userinfo()]],
  'a refresh after the revocation': [...active, [60, 70, revoke()], [80, 90, refresh()]],
  'a revocation without a response that is forgotten again': [
    ...active,
    [60, 70, revoke(), 'unknown'],
    [80, 90, userinfo(), 'refused'],
    [100, 110, userinfo()],
  ],
  'an access token that is accepted after its own revocation': [
    ...active,
    [60, 70, revokeToken()],
    [80, 90, userinfo()],
  ],
  'an exchange that was forgotten': [...active, [60, 70, userinfo(), 'refused']],
  'a code that was forgotten': [...begun, [40, 50, exchange(), 'refused']],
  'an exchange that took place although nothing was changed, as it was said': [
    ...begun,
    [40, 50, exchange(), 'unchanged'],
    [60, 70, exchange(), 'refused'],
  ],
  'tokens that outlive the removal of access': [...active, [60, 70, removal], [80, 90, refresh()]],
  'a code that outlives the removal of access': [
    ...begun,
    [60, 70, removal],
    [80, 90, approve(2)],
    [100, 110, exchange(1)],
  ],
  'a code without consent': [...active, [60, 70, removal], [80, 90, authorize(2)]],
  'consent that was forgotten': [...active, [60, 70, authorize(2), 'refused']],
  'tokens of someone who is disabled': [...active, [60, 70, disable], [80, 90, userinfo()]],
  'tokens that come back to life': [...active, [60, 70, disable], [80, 90, enable], [100, 110, userinfo()]],
  'a session of someone who is disabled': [...active, [60, 70, disable], [80, 90, authorize(2)]],
  'a sign-in of someone who is disabled': [
    [0, 10, disable],
    [20, 30, signIn],
  ],
  'a sign-in that was forgotten': [...begun, [40, 50, authorize(2), 'signed-out']],
  'a code for a session that was signed out': [...active, [60, 70, signOut], [80, 90, authorize(2)]],
  'someone disabled whom nobody disabled': [...active, [60, 70, enable]],
  'a code that is accepted after more than a minute': [...begun, [62_000, 62_010, exchange()]],
  'a grant that survives a late replay': [
    ...active,
    [12_000, 12_010, exchange(), 'refused'],
    [12_020, 12_030, userinfo()],
  ],
  'two instances that disagree about a revocation at the same time': [
    ...active,
    [60, 200, revoke()],
    [70, 80, userinfo(), 'refused'],
    [90, 100, userinfo()],
  ],
};

describe('one order explains', () => {
  for (const [name, rows] of Object.entries(explained)) {
    test(name, () => assert.deepEqual(violationsIn(history(rows)), []));
  }
});

describe('no order explains', () => {
  for (const [name, rows] of Object.entries(unexplained)) {
    test(name, () => assert.notDeepEqual(violationsIn(history(rows)), []));
  }
});

test('a violation is shown with the requests that it takes, and the others as if they had got no response', () => {
  const [violation] = violationsIn(
    history([
      ...active,
      [52, 55, userinfo()],
      [60, 70, revoke()],
      [72, 75, userinfo(), 'refused'],
      [80, 90, userinfo()],
      [95, 99, signOut],
    ]),
  );
  assert.ok(violation);
  const acknowledged = shrunk(violation).operations.filter(({ outcome }) => outcome !== 'unknown');
  assert.deepEqual(
    acknowledged.map(({ kind, start }) => [kind, start]),
    [
      ['revoke', 60],
      ['userinfo', 80],
    ],
  );
});
