// The nginx configuration of docs/gate.md, with a real nginx.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDebianPackages } from '../harness/debian-packages.ts';
import { behindTheGate } from './behind-the-gate.ts';
import { changed, type GatedPlace, guideFile, writeIn } from './gated-place.ts';

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
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,DNS:handbook.localhost'];
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
  const made = spawnSync('openssl', [...request, ...names, ...files], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
}

behindTheGate({
  name: 'nginx',
  skip: ensureDebianPackages({ 'nginx-light': program, openssl: '/usr/bin/openssl' }) ?? false,
  prepare,
  authority: ({ folder }) => readFileSync(join(folder, 'fullchain.pem'), 'utf8'),
});
