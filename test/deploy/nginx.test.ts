// deploy/nginx.conf, with a real nginx in front of a service.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCertificate } from '../harness/certificate.ts';
import { root } from '../harness/command.ts';
import { ensureDebianPackages } from '../harness/debian-packages.ts';
import { behindAProxy, type Place } from './behind-a-proxy.ts';

const program = '/usr/sbin/nginx';

/** The configuration with other ports, names and paths. Each text to replace must occur in it. */
function snippetFor({ folder, httpPort, httpsPort, servicePort }: Place): string {
  let text = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8');
  for (const [from, to] of [
    [/^ *listen \[::\]:.*\n/gm, ''],
    [/listen 80;/g, `listen 127.0.0.1:${httpPort};`],
    [/listen 443 /g, `listen 127.0.0.1:${httpsPort} `],
    [/https:\/\/\$server_name/g, `https://$server_name:${httpsPort}`],
    [/server 127\.0\.0\.1:8455;/g, `server 127.0.0.1:${servicePort};`],
    [/\/etc\/letsencrypt\/live\/login\.example\.com/g, folder],
    [/login\.example\.com/g, 'localhost'],
    [/\/var\/log\/nginx/g, `${folder}/logs`],
  ] as const) {
    assert.match(text, from);
    text = text.replace(from, to);
  }
  return text;
}

function prepare(place: Place): { command: string; args: string[] } {
  const { folder } = place;
  for (const name of ['logs', 'temporary']) mkdirSync(join(folder, name));
  writeCertificate({ certificate: join(folder, 'fullchain.pem'), key: join(folder, 'privkey.pem') });
  writeFileSync(join(folder, 'latchkey.conf'), snippetFor(place));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((use) => {
    return `${use}_temp_path ${folder}/temporary/${use};`;
  });
  // Without this, the workers of a root process run as a user who can't read these files.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const configuration = `daemon off; ${user} pid ${folder}/nginx.pid; error_log ${folder}/logs/error.log info;
    worker_processes 2; events { worker_connections 256; }
    http { ${temporary.join(' ')} include ${folder}/latchkey.conf; }\n`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration);
  const args = ['-p', folder, '-e', join(folder, 'logs/start.log'), '-c', file];
  const check = spawnSync(program, [...args, '-t'], { encoding: 'utf8' });
  assert.equal(check.status, 0, check.stderr);
  return { command: program, args };
}

behindAProxy({
  name: 'nginx',
  skip: ensureDebianPackages({ 'nginx-light': program, openssl: '/usr/bin/openssl' }) ?? false,
  prepare,
  authority: ({ folder }) => readFileSync(join(folder, 'fullchain.pem'), 'utf8'),
});
