// The nginx configuration of docs/gate.md, with a real nginx.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeCertificate } from '../harness/certificate.ts';
import { ensureDebianPackages } from '../harness/debian-packages.ts';
import { releaseTest } from '../harness/lane.ts';
import { behindTheGate, openTunnel } from './behind-the-gate.ts';
import { changed, type GatedPlace, type GatedProxy, guideFile, writeIn } from './gated-place.ts';

const program = '/usr/sbin/nginx';

function prepare({ folder, httpPort, httpsPort, gatePort, applicationPort }: GatedPlace) {
  for (const name of ['logs', 'temporary']) mkdirSync(join(folder, name));
  certify(folder);
  writeIn(
    folder,
    'snippets/gate.conf',
    changed(guideFile('snippets/gate.conf'), [
      // Other ports than 443 belong to the host.
      [/X-Forwarded-Host \$host;/g, `X-Forwarded-Host $host:${httpsPort};`],
    ]),
  );
  writeIn(
    folder,
    'php.conf',
    changed(guideFile('php.conf'), [[/\/run\/php\/php-fpm\.sock/, join(folder, 'php.sock')]]),
  );
  symlinkSync('/etc/nginx/fastcgi_params', join(folder, 'fastcgi_params'));
  const sites = changed(guideFile('conf.d/sites.conf'), [
    [/listen 443 /g, `listen 127.0.0.1:${httpsPort} `],
    [/listen 80;/g, `listen 127.0.0.1:${httpPort};`],
    [/\/etc\/letsencrypt\/live\/[a-z]+\.example/g, folder],
    [/server 127\.0\.0\.1:8460;/g, `server 127.0.0.1:${gatePort};`],
    [/http:\/\/127\.0\.0\.1:8080;/g, `http://127.0.0.1:${applicationPort};`],
    [/root \/var\/www\/handbook;/g, `root ${folder}/handbook; include php.conf;`],
    [/wiki\.example/g, 'localhost'],
    [/handbook\.example/g, 'handbook.localhost'],
  ]);
  const uses = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = uses.map((use) => `${use}_temp_path ${folder}/temporary/${use};`);
  // Without this, the workers of a root process run as a user who can't read these files.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const file = writeIn(
    folder,
    'nginx.conf',
    `daemon off; ${user} pid ${folder}/nginx.pid; error_log ${folder}/logs/error.log crit; worker_shutdown_timeout 1s;
    worker_processes 2; events { worker_connections 256; }
    http { access_log ${folder}/logs/access.log; ${temporary.join(' ')} include ${writeIn(folder, 'conf.d/sites.conf', sites)}; }\n`,
  );
  const args = ['-p', folder, '-e', join(folder, 'logs/start.log'), '-c', file];
  const check = spawnSync(program, [...args, '-t'], { encoding: 'utf8' });
  assert.equal(check.status, 0, check.stderr);
  return { command: program, args };
}

function certify(folder: string): void {
  const files = { certificate: join(folder, 'fullchain.pem'), key: join(folder, 'privkey.pem') };
  writeCertificate(files, ['localhost', 'handbook.localhost']);
}

const nginx: GatedProxy = {
  name: 'nginx',
  skip: ensureDebianPackages({ 'nginx-light': program, openssl: '/usr/bin/openssl' }) ?? false,
  prepare,
  authority: ({ folder }) => readFileSync(join(folder, 'fullchain.pem'), 'utf8'),
};

behindTheGate(nginx, (gated) => {
  releaseTest('with worker_shutdown_timeout, a reload closes a WebSocket that is in use', async () => {
    const user = await gated().service.newUser();
    const { cookie } = await gated().signedIn(user);
    const tunnel = await openTunnel(gated(), [`Cookie: ${cookie}`]);
    assert.match(tunnel.received(), /^HTTP\/1\.1 101 /);
    const frame = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]);
    const talking = setInterval(() => tunnel.write(frame), 50);
    try {
      const nothingYet = Symbol();
      assert.equal(await Promise.race([tunnel.closed, pause(500, nothingYet)]), nothingYet);
      process.kill(Number(readFileSync(join(gated().proxy.place.folder, 'nginx.pid'), 'utf8')), 'SIGHUP');
      assert.notEqual(await Promise.race([tunnel.closed, pause(10_000, nothingYet)]), nothingYet);
    } finally {
      clearInterval(talking);
      tunnel.close();
    }
  });
});
