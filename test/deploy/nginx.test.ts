// deploy/nginx.conf, with a real nginx in front of a service, and beside it what docs/bridge.md makes of it.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCertificate } from '../harness/certificate.ts';
import { root } from '../harness/command.ts';
import { ensureDebianPackages } from '../harness/debian-packages.ts';
import { behindAProxy, type Place } from './behind-a-proxy.ts';

const program = '/usr/sbin/nginx';

const original = join(root, 'deploy/nginx.conf');

/** For the bridge, by the command of its page. */
function forBridge(): string {
  const [, expression = ''] =
    /^sed '(.+)' deploy\/nginx\.conf > /m.exec(readFileSync(join(root, 'docs/bridge.md'), 'utf8')) ?? [];
  return execFileSync('sed', [expression, original], { encoding: 'utf8' });
}

/** The configuration with other ports, names and paths. Each text to replace must occur in it. */
function snippetFor({ folder, httpPort, httpsPort }: Place, whole: string, names: Names): string {
  let text = whole;
  for (const [from, to] of [
    [/^ *listen \[::\]:.*\n/gm, ''],
    [/listen 80;/g, `listen 127.0.0.1:${httpPort};`],
    [/listen 443 /g, `listen 127.0.0.1:${httpsPort} `],
    [/https:\/\/\$server_name/g, `https://$server_name:${httpsPort}`],
    [`server 127.0.0.1:${names.port};`, `server 127.0.0.1:${names.servicePort};`],
    [`/etc/letsencrypt/live/${names.host}`, folder],
    [names.host, names.localHost],
    ['/var/log/nginx', `${folder}/logs`],
  ] as const) {
    assert.ok(typeof from === 'string' ? text.includes(from) : from.test(text), String(from));
    text = text.replaceAll(from, to);
  }
  return text;
}

interface Names {
  readonly host: string;
  readonly localHost: string;
  readonly port: number;
  readonly servicePort: number;
}

function prepare(place: Place): { command: string; args: string[] } {
  const { folder } = place;
  for (const name of ['logs', 'temporary']) mkdirSync(join(folder, name));
  writeCertificate({ certificate: join(folder, 'fullchain.pem'), key: join(folder, 'privkey.pem') });
  const { servicePort } = place;
  const service = { host: 'login.example.com', localHost: 'localhost', port: 8455, servicePort };
  writeFileSync(join(folder, 'latchkey.conf'), snippetFor(place, readFileSync(original, 'utf8'), service));
  const bridge = { host: 'bridge.example.com', localHost: 'bridge.localhost', port: 8465, servicePort };
  writeFileSync(join(folder, 'latchkey-bridge.conf'), snippetFor(place, forBridge(), bridge));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((use) => {
    return `${use}_temp_path ${folder}/temporary/${use};`;
  });
  // Without this, the workers of a root process run as a user who can't read these files.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const configuration = `daemon off; ${user} pid ${folder}/nginx.pid; error_log ${folder}/logs/error.log info;
    worker_processes 2; events { worker_connections 256; }
    http { ${temporary.join(' ')} include ${folder}/latchkey*.conf; }\n`;
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
