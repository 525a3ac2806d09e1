// deploy/haproxy.cfg, with HAProxy itself in front of a service, and of two that are restarted one after the other.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ensureDebianPackages } from '../harness/debian-packages.ts';
import { removeSharedPostgres } from '../harness/postgres.ts';
import { configureHaproxy, haproxy, rollingRestart } from '../harness/rolling-restart.ts';
import { behindAProxy, type Place } from './behind-a-proxy.ts';

const skip = ensureDebianPackages({ haproxy, openssl: '/usr/bin/openssl' }) ?? false;
after(removeSharedPostgres);

function prepare(place: Place): { command: string; args: string[] } {
  mkdirSync(join(place.folder, 'logs'));
  const { servicePort } = place;
  const file = configureHaproxy({ ...place, servicePorts: [servicePort, servicePort] });
  const check = spawnSync(haproxy, ['-c', '-f', file], { encoding: 'utf8' });
  assert.equal(check.status, 0, check.stderr);
  assert.doesNotMatch(check.stderr, /WARNING/);
  return { command: haproxy, args: ['-db', '-f', file] };
}

behindAProxy({
  name: 'HAProxy',
  skip,
  prepare,
  authority: ({ folder }) => readFileSync(join(folder, 'certificate.pem'), 'utf8'),
  statusWhenAway: 503,
});

test('a rolling restart of two instances loses no request', { skip }, async (context) => {
  const { requests, lost, seconds } = await rollingRestart(20_000);
  context.diagnostic(`${requests} requests in ${seconds.toFixed(1)} s`);
  assert.deepEqual(lost, []);
});
