// `latchkey doctor`: checks everything that an operator can get wrong and says what to do about it. It changes nothing.

import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { findSweepPause } from '../../operations/housekeeping/sweep.ts';
import { type Config, ConfigurationError, type Environment, readConfig } from '../../platform/config.ts';
import { isEmptyKeyFile, isExposed } from '../../platform/key-file.ts';
import { keyListProblem, keyListRule, readKeyList } from '../../platform/key-list.ts';
import { smtpMailer } from '../../platform/mailer.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { isLoopbackHost } from '../../protocol/oauth/redirect-uri.ts';
import { codeOf, messageOf } from '../../protocol/reading/caught-errors.ts';
import { readDatabaseUrl } from '../../protocol/reading/database-url.ts';
import type { Driver } from '../../storage/driver.ts';
import { judgeSchema } from '../../storage/migrating.ts';
import { readMigrations, sqlStorage } from '../../storage/sql/sql-storage.ts';
import { StoreUnusable } from '../../storage/storage.ts';
import { CommandFailed } from '../command.ts';
import { defineCommand, jsonOption } from '../frame/define.ts';
import { examineBreaches } from '../passwords/breaches.ts';
import { pauseReasons } from '../service/sweep-report.ts';
import { databaseFile, openStore } from '../store/open-store.ts';
import { print, printJson, styled } from '../terminal/output.ts';
import { withProgress } from '../terminal/progress.ts';
import { printFields } from '../terminal/table.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { examineHashes } from './hashes.ts';
import { examineUpstreams } from './upstreams.ts';

const megabyte = 1024 * 1024;
const requestTimeout = 5000;
/** Codes and tokens expire by the clock. Machines further apart than this disagree about what has expired. */
const clockTolerance = 5000;

const colours = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

export const doctor = defineCommand({
  summary: 'check the configuration, store, clock, keys, email, identity providers, proxy and base URL',
  details: `Says how to fix what it finds. Run it with the service's environment, preferably while the service is running. It changes
nothing. The exit status is 1 if there's a problem.`,
  options: jsonOption,
  examples: ['latchkey doctor', 'latchkey doctor --json'],
  async run({ values, environment }) {
    const findings = await withProgress({ label: 'Checking' }, () => examine(environment));
    if (values.json) printJson(findings);
    else printFields(findings.map(({ state, about, text }) => [styled(colours[state], state), about, text]));
    const problems = findings.filter((finding) => finding.state === 'problem').length;
    if (problems > 0) throw new CommandFailed(`found ${problems === 1 ? '1 problem' : `${problems} problems`}.`);
    const warnings = findings.filter((finding) => finding.state === 'warning').length;
    if (!values.json) print(warnings === 0 ? '\nNo problems found.' : '\nNo problems found, but check the warnings.');
  },
});

async function examine(environment: Environment): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map((text) => problem('configuration', text));
  }
  const found = await Promise.all([examineStore(config), examineService(config), examineEmail(config)]);
  const breaches = await examineBreaches(config);
  return [
    ok('configuration', `${config.baseUrl}, sign-up ${config.signUp}`),
    ...examineFolder(config),
    ...examineKeys(config, environment),
    ...examineConnection(config),
    ...found.flat(),
    ...(breaches === undefined ? [] : [{ ...breaches, about: 'breached passwords' }]),
    ...examineProxy(config),
    ...examineMetrics(config),
  ];
}

function examineFolder(config: Config): Finding[] {
  const folder = statSync(config.dataDir, { throwIfNoEntry: false });
  if (folder === undefined)
    return [warning('data', `${config.dataDir} doesn't exist yet. The first start creates it.`)];
  const findings: Finding[] = [];
  if ((folder.mode & 0o077) !== 0) {
    findings.push(warning('data', `Other users can read ${config.dataDir}. Run "chmod 700" on it.`));
  }
  const { bavail, bsize } = statfsSync(config.dataDir);
  const free = Math.floor((bavail * bsize) / megabyte);
  const text = `${free} MB free in ${config.dataDir}`;
  if (free < 100) findings.push(problem('disk', `${text}. Free up space before writes start to fail.`));
  else if (free < 1024) findings.push(warning('disk', `${text}, which is low.`));
  else findings.push(ok('disk', `${text}.`));
  return findings;
}

function examineKeys(config: Config, environment: Environment): Finding[] {
  if (config.keys !== undefined) return [ok('keys', 'from LATCHKEY_KEYS.')];
  if (!existsSync(config.keysFile)) {
    return [warning('keys', `${config.keysFile} doesn't exist yet. The first start creates it.`)];
  }
  if (isEmptyKeyFile(config.keysFile)) {
    const text = 'Restore it from your backup. If the store is empty, the next start creates a new key.';
    return [problem('keys', `${config.keysFile} is empty. ${text}`)];
  }
  const text = readFileSync(config.keysFile, 'utf8');
  const keys = readKeyList(text);
  if (keys === undefined) {
    const fault = keyListProblem(text);
    const advice = fault === keyListRule ? ' Restore it from your backup.' : '';
    return [problem('keys', `${config.keysFile} ${fault}.${advice}`)];
  }
  const findings = [ok('keys', `${keys.length} in ${config.keysFile}.`)];
  if (isExposed(config.keysFile)) {
    findings.push(
      problem('keys', `Other users can read ${config.keysFile}. Run "chmod 600" on it, and rotate the keys.`),
    );
  }
  if (config.databaseUrl !== undefined && environment.LATCHKEY_KEYS_FILE === undefined) {
    findings.push(warning('keys', 'only on this machine. Several instances need the same keys.'));
  }
  return findings;
}

async function examineStore(config: Config): Promise<Finding[]> {
  const place = config.databaseUrl === undefined ? databaseFile(config) : 'PostgreSQL';
  if (config.databaseUrl === undefined && !existsSync(place)) {
    return [warning('store', `${place} doesn't exist yet. The first start creates it.`)];
  }
  let driver: Driver | undefined;
  try {
    driver = await openStore(config);
    const state = judgeSchema(await driver.appliedMigrations(), readMigrations());
    if (state.kind === 'edited') return [problem('store', state.sentence)];
    const { version } = state;
    if (state.kind === 'newer') {
      const known = `this one needs ${state.needed}`;
      return [problem('store', `${place} has schema version ${version}, from a newer version of Latchkey; ${known}.`)];
    }
    if (state.kind === 'behind') {
      const todo = config.databaseUrl === undefined ? 'The next start updates it.' : 'Run "latchkey migrate".';
      const finding = config.databaseUrl === undefined ? warning : problem;
      return [finding('store', `${place} has schema version ${version}, but ${state.needed} is needed. ${todo}`)];
    }
    const store = ok('store', `${place}, schema version ${version}.`);
    const hashes = await examineHashes(sqlStorage(driver));
    const upstreams = await examineUpstreams(config, sqlStorage(driver));
    return [store, await examineAdministrators(driver), ...hashes, await examineSweep(driver), ...upstreams];
  } catch (error) {
    if (error instanceof StoreUnusable) return [problem('store', error.message)];
    return [problem('store', `${place} doesn't respond: ${messageOf(error)}.`)];
  } finally {
    await driver?.close();
  }
}

/** Whether somebody on the way to the database could read along. */
function examineConnection(config: Config): Finding[] {
  const reading = config.databaseUrl === undefined ? undefined : readDatabaseUrl(config.databaseUrl);
  if (reading?.kind !== 'valid') return [];
  const { host, protection } = reading.address;
  const better = 'Use sslmode=verify-full, with sslrootcert if you have your own certificate authority.';
  if (protection.kind === 'none') {
    if (protection.local) return [ok('connection', `${host} is on this machine.`)];
    return [warning('connection', `sslmode=disable: the connection to ${host} is not encrypted. ${better}`)];
  }
  if (protection.verified) return [ok('connection', `TLS to ${host}, with a verified certificate.`)];
  return [warning('connection', `sslmode=no-verify: the certificate of ${host} isn't verified. ${better}`)];
}

async function examineAdministrators(driver: Driver): Promise<Finding> {
  const count = await sqlStorage(driver).countAdministrators();
  if (count > 0) return ok('administrator', `${count} ${count === 1 ? 'administrator' : 'administrators'}.`);
  return warning('administrator', 'none yet. Run "latchkey setup-link" for a link to create one.');
}

async function examineSweep(driver: Driver): Promise<Finding> {
  const pause = await findSweepPause({ storage: sqlStorage(driver) });
  if (pause === undefined) return ok('sweep', 'expired data is being deleted.');
  const text = `paused since ${isoTime(pause.since)}: ${pauseReasons[pause.reason]}. Nothing is being deleted.`;
  return problem('sweep', `${text} Correct the clock or, if it's right, run "latchkey sweep --resume".`);
}

async function examineService(config: Config): Promise<Finding[]> {
  const url = `${config.baseUrl}/.well-known/openid-configuration`;
  let response: Response;
  try {
    response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(requestTimeout) });
  } catch (error) {
    const reason = causeOf(error);
    return [
      warning('base URL', `nothing responds at ${config.baseUrl} (${reason}). Start the service, or check the proxy.`),
    ];
  }
  const body = (await response.json().catch(() => undefined)) as { issuer?: unknown } | undefined;
  if (body?.issuer !== config.baseUrl) {
    const text = `something other than this service responds at ${config.baseUrl} (status ${response.status}). Check the proxy's target.`;
    return [problem('base URL', text)];
  }
  const findings = [
    ok('base URL', `${config.baseUrl} reaches the service, with the right issuer.`),
    ...(await examineReadiness(config)),
  ];
  const apart = Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now());
  if (apart > clockTolerance) {
    findings.push(
      problem(
        'clock',
        `the clocks of this machine and the service differ by ${Math.round(apart / 1000)} s. Synchronize them (NTP).`,
      ),
    );
  } else if (!Number.isNaN(apart)) findings.push(ok('clock', 'in sync with the service.'));
  return findings;
}

const unreadiness: Readonly<Record<string, string>> = {
  store_unreachable:
    "can't reach its store. If its data directory was deleted or moved, stop it, restore a backup and start it again. See its log.",
  store_not_writable: "can't write to its store: the disk is full or the database is read-only. See its log.",
};

/** The service may be worse off than the store looks from here: the files that it has open may have been deleted. */
async function examineReadiness(config: Config): Promise<Finding[]> {
  const signal = AbortSignal.timeout(requestTimeout);
  const response = await fetch(`${config.baseUrl}/readyz`, { redirect: 'manual', signal }).catch(() => undefined);
  const body = (await response?.json().catch(() => undefined)) as { status?: unknown; reason?: unknown } | undefined;
  // A proxy may keep this path to itself.
  if (body === undefined || typeof body.status !== 'string') return [];
  if (body.status === 'ready') return [ok('service', 'can read and write its store.')];
  const text = unreadiness[String(body.reason)];
  if (text === undefined) return [warning('service', `not ready: ${body.status}.`)];
  return [problem('service', `the running service ${text}`)];
}

async function examineEmail(config: Config): Promise<Finding[]> {
  if (config.email.kind === 'outbox') return [ok('email', `shown at ${config.baseUrl}/dev/outbox, for development.`)];
  if (config.email.kind === 'none') {
    const lost = "sign-up, password reset and email address changes aren't available";
    return [warning('email', `no mail server: ${lost}. Set LATCHKEY_SMTP_URL and LATCHKEY_MAIL_FROM.`)];
  }
  const mailer = smtpMailer(config.email.url, config.email.from, () => '');
  const { host } = new URL(config.email.url);
  try {
    await mailer.verify();
    return [ok('email', `${host} responds and accepts the credentials.`)];
  } catch (error) {
    // The server's message is safe to print: it doesn't contain the credentials.
    return [
      problem('email', `${host} doesn't work: ${messageOf(error).split('\n')[0]}. Emails are queued and retried.`),
    ];
  } finally {
    mailer.close();
  }
}

function examineProxy(config: Config): Finding[] {
  if (!config.baseUrl.startsWith('https:')) return [];
  if (config.trustProxy.length > 0)
    return [ok('proxy', `trusting X-Forwarded-* from ${config.trustProxy.join(', ')}.`)];
  const text =
    "LATCHKEY_TRUST_PROXY is not set. Behind a proxy, everyone shares the proxy's IP address. Set it to that IP address.";
  return [warning('proxy', text)];
}

/** Whoever reaches the metrics can read them. */
function examineMetrics({ metrics }: Config): Finding[] {
  if (metrics === undefined) return [];
  const place = `/metrics on port ${metrics.port} of ${metrics.host}`;
  if (isLoopbackHost(metrics.host)) return [ok('metrics', `${place}, for this machine alone.`)];
  return [warning('metrics', `${place}, for whoever reaches it. Let only Prometheus reach the port.`)];
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return codeOf(cause) ?? messageOf(cause ?? error);
}
