// deploy/prometheus and deploy/grafana, with Prometheus itself: it checks the rules, scrapes a service, evaluates every
// alert, and understands every query of the dashboard.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { bridgeMeters } from '../../src/bridge/meters.ts';
import { gateMeters } from '../../src/gate/meters.ts';
import { exposition } from '../../src/platform/metrics/listener.ts';
import { MetricRegistry } from '../../src/platform/metrics/registry.ts';
import { root } from '../harness/command.ts';
import { ensureDebianPackages } from '../harness/debian-packages.ts';
import { Scrape, scrape } from '../harness/metrics.ts';
import { obtainTokens } from '../harness/relying-party.ts';
import { freePort, startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const skip = ensureDebianPackages({ prometheus: '/usr/bin/promtool' }) ?? false;
const rulesFile = join(root, 'deploy/prometheus/latchkey.rules.yml');
const rules = parse(readFileSync(rulesFile, 'utf8')) as {
  groups: {
    rules: { alert: string; expr: string; labels: { severity: string }; annotations: { description: string } }[];
  }[];
};
const alerts = rules.groups.flatMap((group) => group.rules);

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}
const dashboard = JSON.parse(readFileSync(join(root, 'deploy/grafana/latchkey.json'), 'utf8')) as Dashboard;
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

const promtool = (args: readonly string[], input = '') =>
  spawnSync('/usr/bin/promtool', args, { input, encoding: 'utf8', cwd: join(root, 'deploy/prometheus') });

test('promtool accepts the rules, and they fire exactly when they should', { skip }, () => {
  for (const args of [
    ['check', 'rules', '--lint-fatal', rulesFile],
    ['test', 'rules', 'latchkey.rules.test.yml'],
  ]) {
    const { status, stdout, stderr } = promtool(args);
    assert.equal(status, 0, stdout + stderr);
  }
});

test('every alert has a severity, and is explained in the documentation', () => {
  const operating = readFileSync(join(root, 'docs/monitoring.md'), 'utf8');
  for (const { alert, labels, annotations } of alerts) {
    assert.match(labels.severity, /^(page|ticket)$/, alert);
    assert.ok(annotations.description.endsWith(`See docs/monitoring.md, "${alert}".`), alert);
    assert.ok(operating.includes(`\`${alert}\``), alert);
  }
});

describe('a Prometheus that scrapes the service', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-prometheus-'));
  let service: TestService;
  let metricsPort: number;
  let url: string;
  let stop = async () => {};
  let scraped: Scrape;
  /** With the gate's and the bridge's. */
  let all: Scrape;

  before(async () => {
    metricsPort = await freePort();
    service = await startTestService({ LATCHKEY_METRICS_PORT: String(metricsPort) });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const configuration = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [rulesFile],
      scrape_configs: [{ job_name: 'latchkey', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] }],
    };
    // JSON is YAML.
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
    const args = [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    const child = spawn('/usr/bin/prometheus', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    child.stderr.on('data', (chunk) => {
      log += chunk;
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    stop = async () => {
      child.kill('SIGTERM');
      await ended;
    };
    await obtainTokens(service, await service.newClient(), await service.newUser());
    await until(
      async () => (await query('up{job="latchkey"}').catch(() => []))[0]?.value[1] === '1',
      () => `Prometheus scrapes: ${log}`,
    );
    scraped = await scrape(metricsPort);
    const others = new MetricRegistry();
    gateMeters(others, () => ({ sessions: 0, oldestAnswer: 0 }));
    bridgeMeters(others, () => 0);
    all = new Scrape(scraped.text + exposition(others.snapshot()));
  });
  after(async () => {
    await stop();
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  const ask = async (path: string) => {
    const response = await fetch(url + path);
    const body = (await response.json()) as { status: string; error?: string; data: never };
    assert.equal(body.status, 'success', body.error ?? path);
    return body.data;
  };
  const query = async (expr: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]> =>
    ((await ask(`/api/v1/query?query=${encodeURIComponent(expr)}`)) as { result: never }).result;

  /** The names of families, as queries write them: those of a histogram with one of its endings. */
  const namesIn = (expr: string) => expr.match(/\b(latchkey|process|nodejs)_[a-z_]+\b/g) ?? [];

  test('has the expected counts', async () => {
    for (const series of [
      'latchkey_tokens_issued_total',
      'latchkey_sign_ins_total{result="signed_in",reason="password"}',
    ]) {
      await until(async () => (await query(series))[0]?.value[1] === '1', series);
    }
  });

  test('has all series, with names, types and units that promtool accepts', async () => {
    const { status, stdout, stderr } = promtool(['check', 'metrics'], all.text);
    assert.deepEqual([status, stdout + stderr], [0, '']);
    const [counted] = await query('count({job="latchkey",__name__=~"latchkey_.+|process_.+|nodejs_.+"})');
    assert.equal(Number(counted?.value[1]), scraped.values.size);
  });

  test('evaluates every rule without an error', async () => {
    interface Group {
      readonly rules: readonly { readonly name: string; readonly health: string; readonly lastError?: string }[];
    }
    const evaluated = async () =>
      ((await ask('/api/v1/rules')) as { groups: readonly Group[] }).groups.flatMap((group) => group.rules);
    await until(async () => (await evaluated()).every(({ health }) => health !== 'unknown'), 'the rules are evaluated');
    const found = await evaluated();
    assert.deepEqual(
      found.map(({ name, health }) => [name, health]),
      alerts.map(({ alert }) => [alert, 'ok']),
    );
  });

  test('understands every query of the dashboard', async () => {
    assert.ok(queries.length > 30);
    for (const expr of queries) {
      await query(expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'));
    }
  });

  test('has every metric and label that the dashboard and the alerts use', async () => {
    for (const expr of [...queries, ...alerts.map(({ expr }) => expr)]) {
      for (const name of namesIn(expr))
        assert.ok(
          [...all.values.keys()].some((key) => key.split('{')[0] === name),
          name,
        );
      for (const [, label, value] of expr.matchAll(/\b([a-z_]+)="([^"$]+)"/g)) {
        if (label === 'job') continue;
        assert.ok(all.text.includes(`${label}="${value}"`), `${label}="${value}" in ${expr}`);
      }
    }
  });

  test('the dashboard shows every family', () => {
    const shown = new Set(queries.flatMap(namesIn).map((name) => name.replace(/_(bucket|sum|count)$/, '')));
    const families = [...all.text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name);
    const elsewhere = ['process_max_fds', 'process_start_time_seconds'];
    assert.deepEqual(
      families.filter((name) => !shown.has(name)),
      elsewhere,
    );
  });
});
