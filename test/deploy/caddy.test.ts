// deploy/Caddyfile, with a real Caddy in front of a service. For localhost, Caddy creates its own certificates.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanEnvironment, root } from '../harness/command.ts';
import { ensureDebianPackages } from '../harness/debian-packages.ts';
import { behindAProxy, type Place } from './behind-a-proxy.ts';

const program = '/usr/bin/caddy';
const skip = ensureDebianPackages({ caddy: program }) ?? false;
const source = join(root, 'deploy/Caddyfile');

function prepare(place: Place) {
  const { folder, httpPort, httpsPort, servicePort } = place;
  mkdirSync(join(folder, 'logs'));
  // The file with the test's own ports, and without what would change the machine.
  const own = `http_port ${httpPort}\n\thttps_port ${httpsPort}\n\tadmin off\n\tskip_install_trust`;
  const text = readFileSync(source, 'utf8')
    .replace('\n{\n', `\n{\n\t${own}\n`)
    .replace('\tlog {\n', `\tlog {\n\t\toutput file ${folder}/logs/caddy.log\n`);
  assert.ok(text.includes(own) && text.includes('/logs/caddy.log'));
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, text);
  const environment = {
    LATCHKEY_BASE_URL: `https://localhost:${httpsPort}`,
    LATCHKEY_UPSTREAM: `127.0.0.1:${servicePort}`,
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
  return { command: program, args: ['run', '--config', file, '--adapter', 'caddyfile'], environment };
}

test('Caddy accepts the file and its formatting', { skip }, () => {
  const caddy = (...args: string[]) =>
    spawnSync(program, [...args, source], { encoding: 'utf8', env: cleanEnvironment({}) });
  const adapted = caddy('adapt', '--adapter', 'caddyfile', '--config');
  assert.equal(adapted.status, 0, adapted.stderr);
  assert.doesNotMatch(adapted.stderr, /warn/i);
  assert.match(adapted.stdout, /"host":\["login\.example\.com"\]/);
  assert.match(adapted.stdout, /"dial":"127\.0\.0\.1:8455"/);
  assert.equal(caddy('fmt').stdout, readFileSync(source, 'utf8'));
});

behindAProxy({
  name: 'Caddy',
  skip,
  prepare,
  authority: ({ folder }) => readFileSync(join(folder, 'data/caddy/pki/authorities/local/root.crt'), 'utf8'),
});
