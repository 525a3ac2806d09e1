// The Caddyfile of docs/gate.md, with a real Caddy. For localhost, Caddy creates its own certificates.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanEnvironment } from '../harness/command.ts';
import { ensureDebianPackages } from '../harness/debian-packages.ts';
import { behindTheGate } from './behind-the-gate.ts';
import { changed, type GatedPlace, guideFile, writeIn } from './gated-place.ts';

const program = '/usr/bin/caddy';
const skip = ensureDebianPackages({ caddy: program }) ?? false;

function prepare({ folder, httpPort, httpsPort, gatePort, applicationPort }: GatedPlace) {
  mkdirSync(join(folder, 'logs'));
  const ports = `http_port ${httpPort}\n\thttps_port ${httpsPort}\n\tadmin off\n\tskip_install_trust`;
  // What a reader might add, above and below.
  const more = `handle /chapter.txt {\n\t\tfile_server\n\t}\n\tphp_fastcgi unix/${folder}/php.sock`;
  const log = `log {\n\t\toutput file ${folder}/logs/caddy.log\n\t}`;
  const text = changed(guideFile('Caddyfile'), [
    [/^\{\n/, `{\n\t${ports}\n\t${log}\n`],
    [/127\.0\.0\.1:8460/g, `127.0.0.1:${gatePort}`],
    [/127\.0\.0\.1:8080/g, `127.0.0.1:${applicationPort}`],
    [/\/var\/www\/handbook/g, `${folder}/handbook\n\t${more}`],
    [/^wiki\.example/m, `https://localhost:${httpsPort}`],
    [/^handbook\.example/m, `https://handbook.localhost:${httpsPort}`],
  ]);
  const file = writeIn(folder, 'Caddyfile', text);
  const environment = { XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config') };
  return { command: program, args: ['run', '--config', file, '--adapter', 'caddyfile'], environment };
}

test('Caddy accepts the file and its formatting', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-caddyfile-'));
  try {
    const file = writeIn(folder, 'Caddyfile', guideFile('Caddyfile'));
    const caddy = (...args: string[]) =>
      spawnSync(program, [...args, file], { encoding: 'utf8', env: cleanEnvironment({}) });
    const adapted = caddy('adapt', '--adapter', 'caddyfile', '--config');
    assert.equal(adapted.status, 0, adapted.stderr);
    assert.doesNotMatch(adapted.stderr, /warn/i);
    assert.equal(caddy('fmt').stdout, guideFile('Caddyfile'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

behindTheGate({
  name: 'Caddy',
  skip,
  prepare,
  authority: ({ folder }) => readFileSync(join(folder, 'data/caddy/pki/authorities/local/root.crt'), 'utf8'),
});
