// What a proxy asks before it lets a request through must not be something that a client can say.

import assert from 'node:assert/strict';
import { forwarded, GateVisitor, navigation, startTestGate } from '../harness/gate.ts';
import { sendRaw } from '../harness/raw-request.ts';
import { startTestService } from '../harness/service.ts';
import { attack } from './attack.ts';

attack(61, 'the gate believes a proxy about the request, and a cookie about the person, and nothing else', async () => {
  const service = await startTestService();
  const gate = await startTestGate(service, {
    application: { open: ['/healthz'], require: [{ paths: ['/admin/*'], claim: 'role', values: ['admin'] }] },
  });
  try {
    const user = await service.newUser();
    const visitor = new GateVisitor(gate, service);
    await visitor.signIn(user);
    const spoofed = { 'Remote-User': 'admin', Remote_User: 'admin', 'X-Forwarded-User': 'admin' };
    const stranger = (headers: Record<string, string>, uri = '/') =>
      gate.check(uri, { headers: { ...navigation, ...headers } });

    // Identity that a client claims is neither believed nor passed on, on open paths either.
    assert.equal((await stranger(spoofed)).status, 302);
    assert.equal((await stranger(spoofed, '/healthz')).headers['remote-user'], '');
    assert.equal((await visitor.check('/', { headers: spoofed })).headers['remote-user'], user.id);

    // Other headers, other spellings and a second value say nothing about which request it is.
    const elsewhere = { 'X-Original-URI': '/healthz', 'X-Original-URL': '/healthz', X_Forwarded_Uri: '/healthz' };
    assert.equal((await stranger(elsewhere)).status, 302);
    assert.equal((await visitor.check('/admin/', { headers: elsewhere })).status, 403);
    const lines = Object.entries({ ...forwarded('wiki.example', '/'), ...navigation }).map((pair) => pair.join(': '));
    for (const [name, value] of Object.entries(forwarded('wiki.example', '/healthz'))) {
      const { status } = await sendRaw(gate, { line: 'GET /gate/check', headers: [...lines, `${name}: ${value}`] });
      assert.equal(status, 403, name);
    }
    for (const name of Object.keys(forwarded('', ''))) {
      assert.equal((await gate.check('/healthz', { headers: { [name]: undefined } })).status, 403, `without ${name}`);
    }
    assert.equal((await gate.check('/healthz', { localAddress: '127.0.0.2' })).status, 403);

    // A header that is named in Connection counts as much as any other.
    const named = { Connection: 'close, X-Forwarded-Uri, X-Forwarded-Method, Cookie' };
    assert.equal((await stranger(named)).status, 302);

    // Neither are the gate's own paths a way in, nor another host or spelling of it, nor an upgrade.
    for (const uri of ['/gate/callback', '/gate/sign-in', '/gate/healthz', '/gate/check']) {
      assert.equal((await stranger({}, uri)).status, 302, uri);
    }
    assert.equal((await visitor.check('/', { headers: { 'X-Forwarded-Host': 'WIKI.example' } })).status, 200);
    for (const host of ['wiki.example.', 'wiki.example:8443', 'evil.example', 'wiki.example,evil.example']) {
      assert.equal((await visitor.check('/', { headers: { 'X-Forwarded-Host': host } })).status, 403, host);
    }
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-Fetch-Mode': 'websocket' };
    assert.equal((await stranger(upgrade)).status, 401);

    // A cookie that can't be one means nobody.
    const { session = '' } = visitor;
    for (const value of ['', 'x', '%00', '"', `${session}=`, session.slice(1), 'a'.repeat(43)]) {
      assert.equal((await stranger({ Cookie: `__Host-latchkey_gate=${value}` })).status, 302, value);
    }
  } finally {
    await gate.stop();
    await service.stop();
  }
});
