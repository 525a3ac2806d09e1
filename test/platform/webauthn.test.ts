// What the library for passkeys can reach: nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetadataService } from '@simplewebauthn/server';
import { webauthnFor } from '../../src/platform/webauthn.ts';
import { startReceiver } from '../harness/webhooks.ts';

test('the library for passkeys opens no connection, even if asked to', async () => {
  const receiver = await startReceiver();
  try {
    await webauthnFor('http://localhost', () => 'Latchkey').requestOptions('AAAA', []);
    const download = MetadataService.initialize({ mdsServers: [receiver.url], verificationMode: 'strict' });
    await download.catch(() => {});
    assert.deepEqual(receiver.received, []);
  } finally {
    await receiver.stop();
  }
});
