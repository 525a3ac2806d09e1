// The file of sessions: what a process remembers of it is never older than the turn of its event loop.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openSessionFile, type SessionFile } from '../../src/gate/session-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-session-file-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let own: SessionFile;
/** As another process has it. */
let others: SessionFile;
let number = 0;
let digest: string;
let sidMark: string;

beforeEach(() => {
  own = openSessionFile(folder);
  others = openSessionFile(folder);
  [digest, sidMark] = [`digest-${++number}`, `sid-${number}`];
  const times = { expiresAt: Date.now() + 1000, signInEndsAt: Date.now() + 1000 };
  assert.ok(own.add({ digest, sidMark, sealed: new Uint8Array(1), signIn: `sign-in-${number}`, ...times }));
  assert.equal(own.versionOf(digest), 1);
});
afterEach(() => {
  own.close();
  others.close();
});

const gone: Readonly<Record<string, (file: SessionFile) => void>> = {
  'a session that was removed': (file) => file.remove(digest),
  'a session that Latchkey has ended': (file) => file.end(sidMark, Date.now() + 1000),
  'a session that was swept': (file) => file.sweep(Date.now() + 2000),
};

for (const [what, end] of Object.entries(gone)) {
  test(`${what} is gone at once, and for other processes with their next turn`, async () => {
    assert.equal(others.versionOf(digest), 1);
    end(own);
    assert.equal(own.versionOf(digest), undefined);
    await nextTurn();
    assert.equal(others.versionOf(digest), undefined);
  });
}

test('a row that was replaced has another version, for every process', async () => {
  assert.equal(others.versionOf(digest), 1);
  assert.equal(own.replace(digest, new Uint8Array(2)), 2);
  assert.equal(own.versionOf(digest), 2);
  await nextTurn();
  assert.equal(others.versionOf(digest), 2);
  assert.equal(others.replace(digest, new Uint8Array(3)), 3);
  await nextTurn();
  assert.equal(own.versionOf(digest), 3);
});
