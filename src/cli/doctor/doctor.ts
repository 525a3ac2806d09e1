// `latchkey doctor`: checks everything that an operator can get wrong and says what to do about it. It changes nothing.

import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { findBackupState } from '../../operations/backups/scheduled-backups.ts';
import { findSweepPause } from '../../operations/housekeeping/upkeep.ts';
import { liveInstances } from '../../operations/instances/instances.ts';
import { endpointsJson } from '../../operations/upstreams/upstream-json.ts';
import { secretOf } from '../../operations/upstreams/upstreams.ts';
import { digestKeys } from '../../operations/users/digest-keys.ts';
import { FilterFile } from '../../platform/breached-passwords/filter-file.ts';
import { FilterUnusable } from '../../platform/breached-passwords/filter-format.ts';
import { type Config, ConfigurationError, type Environment, proxyProblem, readConfig } from '../../platform/config.ts';
import { isEmptyKeyFile, isExposed } from '../../platform/key-file.ts';
import { keyListProblem, keyListRule, readKeyList } from '../../platform/key-list.ts';
import { type ServiceKeys, serviceKeys } from '../../platform/keys.ts';
import { smtpMailer } from '../../platform/mailer.ts';
import { bufferedRandom } from '../../platform/random.ts';
import { type UpstreamConnector, upstreamConnector } from '../../platform/upstreams/connector.ts';
import { ownVersion } from '../../platform/version.ts';
import { invalidCertificates, untrustedCertificates } from '../../platform/webhooks/checked-host.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { isLoopbackHost } from '../../protocol/oauth/redirect-uri.ts';
import { codeOf, messageOf } from '../../protocol/reading/caught-errors.ts';
import { readDatabaseUrl } from '../../protocol/reading/database-url.ts';
import { everyDomain } from '../../protocol/upstreams/claims.ts';
import { chosenAlgorithm } from '../../protocol/upstreams/metadata.ts';
import type { Driver } from '../../storage/driver.ts';
import { examineSchema } from '../../storage/migrating.ts';
import { readMigrations, sqlStorage } from '../../storage/sql/sql-storage.ts';
import { type Storage, StoreUnusable, type Upstream } from '../../storage/storage.ts';
import { CommandFailed } from '../command.ts';
import { defineCommand, jsonOption } from '../frame/define.ts';
import { filterSentence } from '../passwords/breaches.ts';
import { pauseReasons } from '../service/background.ts';
import { type SignUpSource, signUpSource } from '../service/sign-up-source.ts';
import { databaseFile, openStore } from '../store/open-store.ts';
import { summaries } from '../summaries.ts';
import { print, printJson, styled } from '../terminal/output.ts';
import { withProgress } from '../terminal/progress.ts';
import { printFields } from '../terminal/table.ts';
import { examineBackups } from './examine-backups.ts';
import { examineEventServers } from './examine-event-servers.ts';
import { examineInstances } from './examine-instances.ts';
import { examineNames, examineQueues, outdatedRedirectUris } from './examine-store.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const megabyte = 1024 * 1024;
const requestTimeout = 5000;
/** Codes and tokens expire by the clock. Machines further apart than this disagree about what has expired. */
const clockTolerance = 5000;

const colors = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

export const doctor = defineCommand({
  summary: summaries.doctor,
  details: `Says how to fix what it finds. Run it with the service's environment, preferably while the service is running. It changes
nothing. The exit status is 1 if there's a problem.`,
  options: jsonOption,
  examples: ['latchkey doctor', 'latchkey doctor --json'],
  async run({ values, environment }) {
    const findings = await withProgress({ label: 'Checking' }, () => examine(environment));
    if (values.json) printJson(findings);
    else printFields(findings.map(({ state, about, text }) => [styled(colors[state], state), about, text]));
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
  const service = Array.fromAsync(examineService(config));
  const isRunning = service.then((findings) =>
    findings.some(({ about, state }) => about === 'service' && state === 'ok'),
  );
  const found = await Promise.all([
    Array.fromAsync(examineStore(config, environment, isRunning)),
    service,
    Array.fromAsync(examineEmail(config)),
    Array.fromAsync(examineBreaches(config)),
  ]);
  return [
    ok('configuration', `${config.baseUrl}, Latchkey ${ownVersion()}`),
    ...examineFolder(config),
    ...examineKeys(config, environment),
    ...examineConnection(config),
    ...found.flat(),
    ...examineProxy(config),
    ...examineMetrics(config),
  ];
}

function* examineFolder({ dataDir }: Config): Generator<Finding> {
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (folder === undefined) return yield warning('data', `${dataDir} doesn't exist yet. The first start creates it.`);
  if ((folder.mode & 0o077) !== 0) yield warning('data', `Other users can read ${dataDir}. Run "chmod 700" on it.`);
  const { bavail, bsize } = statfsSync(dataDir);
  const free = Math.floor((bavail * bsize) / megabyte);
  const text = `${free} MB free in ${dataDir}`;
  if (free < 100) yield problem('disk', `${text}. Free up space before writes start to fail.`);
  else if (free < 1024) yield warning('disk', `${text}, which is low.`);
  else yield ok('disk', `${text}.`);
}

function* examineKeys({ keys, keysFile, databaseUrl }: Config, environment: Environment): Generator<Finding> {
  if (keys !== undefined) return yield ok('keys', 'from LATCHKEY_KEYS.');
  if (!existsSync(keysFile)) return yield warning('keys', `${keysFile} doesn't exist yet. The first start creates it.`);
  if (isEmptyKeyFile(keysFile)) {
    const text = 'Restore it from your backup. If the store is empty, the next start creates a new key.';
    return yield problem('keys', `${keysFile} is empty. ${text}`);
  }
  const text = readFileSync(keysFile, 'utf8');
  const list = readKeyList(text);
  if (list === undefined) {
    const fault = keyListProblem(text);
    const advice = fault === keyListRule ? ' Restore it from your backup.' : '';
    return yield problem('keys', `${keysFile} ${fault}.${advice}`);
  }
  yield ok('keys', `${list.length} in ${keysFile}.`);
  if (isExposed(keysFile)) {
    yield problem('keys', `Other users can read ${keysFile}. Run "chmod 600" on it, and rotate the keys.`);
  }
  if (databaseUrl !== undefined && environment.LATCHKEY_KEYS_FILE === undefined) {
    yield warning('keys', 'only on this machine. Several instances need the same keys.');
  }
}

async function* examineStore(
  config: Config,
  environment: Environment,
  isRunning: Promise<boolean>,
): AsyncGenerator<Finding> {
  const isEmbedded = config.databaseUrl === undefined;
  const place = isEmbedded ? databaseFile(config) : 'PostgreSQL';
  if (isEmbedded && !existsSync(place)) {
    if (await isRunning) {
      return yield problem('store', `${place} doesn't exist, but the service is running. Check LATCHKEY_DATA_DIR.`);
    }
    return yield warning('store', `${place} doesn't exist yet. The first start creates it.`);
  }
  let driver: Driver | undefined;
  try {
    driver = await openStore(config);
    const state = await examineSchema(driver, readMigrations());
    if (state.kind === 'unusable') return yield problem('store', state.sentence);
    const { version } = state;
    if (state.kind === 'behind') {
      const todo = isEmbedded ? 'The next start updates it.' : 'Run "latchkey migrate".';
      const text = `${place} has schema version ${version}, but ${state.needed} is needed. ${todo}`;
      return yield (isEmbedded ? warning : problem)('store', text);
    }
    // Only if nothing fails on the way: then the store itself is the problem.
    const keys = keysOf(config);
    const storage = sqlStorage(driver, undefined, keys && digestKeys(() => ({ keys, random: bufferedRandom() })));
    const found = await Array.fromAsync(examineContents(config, environment, storage));
    if (state.kind === 'newer') yield warning('store', state.sentence);
    else yield ok('store', `${place}, schema version ${version}.`);
    yield* found;
  } catch (error) {
    if (error instanceof StoreUnusable) yield problem('store', error.message);
    else yield problem('store', `${place} doesn't respond: ${messageOf(error)}.`);
  } finally {
    await driver?.close();
  }
}

async function* examineContents(config: Config, environment: Environment, storage: Storage): AsyncGenerator<Finding> {
  const count = await storage.countAdministrators();
  if (count === 0) yield warning('administrator', 'none yet. Run "latchkey setup-link" for a link to create one.');
  else yield ok('administrator', `${count} ${count === 1 ? 'administrator' : 'administrators'}.`);
  yield examineSignUp(config, await signUpSource(storage, config, environment));
  const foreign = await storage.countForeignHashes();
  if (foreign > 0) {
    // Nothing to worry about, but it explains why refused sign-ins take their time.
    const who = foreign === 1 ? '1 person has a password' : `${foreign} people have a password`;
    const until = 'Refused sign-ins are delayed until each of them has signed in, or set another one.';
    yield ok('passwords', `${who} that another service has hashed. ${until}`);
  }
  const pause = await findSweepPause({ storage });
  if (pause === undefined) yield ok('sweep', 'expired data is being deleted.');
  else {
    const text = `paused since ${isoTime(pause.since)}: ${pauseReasons[pause.reason]}. Nothing is being deleted.`;
    yield problem('sweep', `${text} Correct the clock or, if it's right, run "latchkey sweep --resume".`);
  }
  yield* examineInstances(await liveInstances({ storage }));
  yield* examineEventServers(storage);
  yield* examineBackups(config, await findBackupState({ storage }), Date.now());
  yield* examineNames(storage);
  yield* examineQueues(config, storage, await storage.now());
  for (const text of await outdatedRedirectUris(storage)) yield warning('redirect URIs', text);
  yield* await examineUpstreams(config, storage);
}

function examineSignUp({ email }: Config, { settings, from, conflict }: SignUpSource): Finding {
  const { sign_up: mode, sign_up_domains: domains } = settings;
  if (conflict !== undefined) return warning('sign-up', conflict);
  if (mode !== 'closed' && email.kind === 'none') {
    return warning('sign-up', `${mode}, but nobody can sign up without a mail server. Set LATCHKEY_SMTP_URL.`);
  }
  if (mode === 'domains' && domains.length === 0) {
    return warning('sign-up', 'domains, but the setting sign_up_domains is empty, so only sign-up links work.');
  }
  return ok('sign-up', `${mode}, by ${from}.`);
}

/** Whether the connection to the database could be read on the way. */
function* examineConnection({ databaseUrl }: Config): Generator<Finding> {
  const reading = databaseUrl === undefined ? undefined : readDatabaseUrl(databaseUrl);
  if (reading?.kind !== 'valid') return;
  const { host, protection } = reading.address;
  const better = 'Use sslmode=verify-full, with sslrootcert if you have your own certificate authority.';
  if (protection.kind !== 'none') {
    if (protection.verified) yield ok('connection', `TLS to ${host}, with a verified certificate.`);
    else yield warning('connection', `sslmode=no-verify: the certificate of ${host} isn't verified. ${better}`);
  } else if (protection.local) yield ok('connection', `${host} is on this machine.`);
  else yield warning('connection', `sslmode=disable: the connection to ${host} is not encrypted. ${better}`);
}

async function* examineService({ baseUrl }: Config): AsyncGenerator<Finding> {
  const url = `${baseUrl}/.well-known/openid-configuration`;
  let response: Response;
  try {
    response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(requestTimeout) });
  } catch (error) {
    return yield noResponse(baseUrl, causeOf(error));
  }
  const body = (await response.json().catch(() => undefined)) as { issuer?: unknown } | undefined;
  if (body?.issuer !== baseUrl) {
    const text = `something other than this service responds at ${baseUrl} (status ${response.status}). Check the proxy's target.`;
    return yield problem('base URL', text);
  }
  yield ok('base URL', `${baseUrl} reaches the service, with the right issuer.`);
  yield* examineReadiness(baseUrl);
  const apart = Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now());
  if (apart > clockTolerance) {
    const seconds = Math.round(apart / 1000);
    yield problem(
      'clock',
      `the clocks of this machine and the service differ by ${seconds} s. Synchronize them (NTP).`,
    );
  } else if (!Number.isNaN(apart)) yield ok('clock', 'in sync with the service.');
}

function noResponse(baseUrl: string, reason: string): Finding {
  const invalid = invalidCertificates[reason];
  if (invalid !== undefined) return problem('base URL', `${baseUrl}: ${invalid}. Renew it, or check the proxy.`);
  const untrusted = untrustedCertificates[reason];
  if (untrusted !== undefined) {
    const text = 'Applications need a certificate that they trust, with its whole chain.';
    const own = 'If you have your own certificate authority, set NODE_EXTRA_CA_CERTS to its file for this command.';
    return warning('base URL', `${baseUrl}: ${untrusted} (${reason}). ${text} ${own}`);
  }
  if (reason.startsWith('ERR_SSL')) {
    return problem('base URL', `${baseUrl} responds, but not with TLS as it should (${reason}). Check the proxy.`);
  }
  const text = `nothing responds at ${baseUrl} (${reason}). Start the service, or check the proxy.`;
  return warning('base URL', text);
}

const unreadiness: Readonly<Record<string, string>> = {
  store_unreachable:
    "can't reach its store. If its data directory was deleted or moved, stop it, restore a backup and start it again. See its log.",
  clock_differs:
    "has a clock that is more than a minute away from those of the other instances, so it isn't ready. Synchronize it (NTP).",
  store_not_writable: "can't write to its store: the disk is full or the database is read-only. See its log.",
};

/** The service may be worse off than the store looks from here: the files that it has open may have been deleted. */
async function* examineReadiness(baseUrl: string): AsyncGenerator<Finding> {
  const signal = AbortSignal.timeout(requestTimeout);
  const response = await fetch(`${baseUrl}/readyz`, { redirect: 'manual', signal }).catch(() => undefined);
  const body = (await response?.json().catch(() => undefined)) as { status?: unknown; reason?: unknown } | undefined;
  // A proxy may keep this path to itself.
  if (body === undefined || typeof body.status !== 'string') return;
  const text = unreadiness[String(body.reason)];
  if (body.status === 'ready') yield ok('service', 'can read and write its store.');
  else if (text === undefined) yield warning('service', `not ready: ${body.status}.`);
  else yield problem('service', `the running service ${text}`);
}

async function* examineEmail({ email, baseUrl }: Config): AsyncGenerator<Finding> {
  if (email.kind === 'outbox') return yield ok('email', `shown at ${baseUrl}/dev/outbox, for development.`);
  if (email.kind === 'none') {
    const lost = "sign-up, password reset and email address changes aren't available";
    return yield warning('email', `no mail server: ${lost}. Set LATCHKEY_SMTP_URL and LATCHKEY_MAIL_FROM.`);
  }
  const mailer = smtpMailer(email.url, email.from, () => '');
  const { host } = new URL(email.url);
  try {
    await mailer.verify();
    yield ok('email', `${host} responds and accepts the credentials.`);
  } catch (error) {
    // The server's message is safe to print: it doesn't contain the credentials.
    yield problem('email', `${host} doesn't work: ${messageOf(error).split('\n')[0]}. Emails are queued and retried.`);
  } finally {
    mailer.close();
  }
}

/** Reads the whole filter. */
async function* examineBreaches(config: Config): AsyncGenerator<Finding> {
  const { breachedPasswords: file } = config;
  if (file === undefined) return;
  let filter: FilterFile | undefined;
  try {
    filter = await FilterFile.open(file);
    await filter.checkCompletely();
    const { hashes, minCount } = filter.header;
    const seen = minCount > 1 ? `, seen at least ${minCount.toLocaleString('en')} times` : '';
    yield ok('breached passwords', `${hashes.toLocaleString('en')} in ${file}${seen}.`);
  } catch (error) {
    if (!(error instanceof FilterUnusable)) throw error;
    yield problem('breached passwords', filterSentence(config, error));
  } finally {
    await filter?.close();
  }
}

function* examineProxy({ baseUrl, trustProxy }: Config): Generator<Finding> {
  const wrong = proxyProblem(trustProxy);
  if (wrong !== undefined) return yield problem('proxy', wrong);
  if (!baseUrl.startsWith('https:')) return;
  const text =
    "LATCHKEY_TRUST_PROXY is not set. Behind a proxy, everyone shares the proxy's IP address. Set it to that IP address.";
  if (trustProxy.length === 0) yield warning('proxy', text);
  else yield ok('proxy', `trusting X-Forwarded-* from ${trustProxy.join(', ')}.`);
}

/** Anyone who can reach the port can read the metrics. */
function* examineMetrics({ metrics }: Config): Generator<Finding> {
  if (metrics === undefined) return;
  const place = `/metrics on port ${metrics.port} of ${metrics.host}`;
  if (isLoopbackHost(metrics.host)) yield ok('metrics', `${place}, for this machine alone.`);
  else yield warning('metrics', `${place}, for anyone who can reach the port. Let only Prometheus reach it.`);
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return codeOf(cause) ?? messageOf(cause ?? error);
}

const about = 'identity providers';

/**
 * Whether people can sign in with identity providers: each must answer, announce the endpoints that are in use, trust the
 * domains that it allows, and have a secret that the service's keys open.
 */
async function examineUpstreams(config: Config, storage: Storage): Promise<Finding[]> {
  const upstreams = (await storage.listUpstreams()).filter(({ disabledAt }) => disabledAt === null);
  if (upstreams.length === 0) return [];
  const keys = keysOf(config);
  const connector = upstreamConnector({ networks: config.upstreamNetworks });
  const found = await Promise.all(upstreams.map((upstream) => Array.fromAsync(examineOne(keys, connector, upstream))));
  const findings = found.flat();
  if (findings.length > 0) return findings;
  return [ok(about, `${upstreams.map(({ name }) => name).join(', ')}: reachable, with the endpoints in use.`)];
}

/** Undefined if there are none that can be read, which is another finding. */
function keysOf({ keys, keysFile }: Config): ServiceKeys | undefined {
  const list = keys ?? (existsSync(keysFile) ? readKeyList(readFileSync(keysFile, 'utf8')) : undefined);
  return list && serviceKeys(list);
}

async function* examineOne(
  keys: ServiceKeys | undefined,
  connector: UpstreamConnector,
  upstream: Upstream,
): AsyncGenerator<Finding> {
  const { name, allowedDomains, trustedDomains, metadata } = upstream;
  if (keys !== undefined && secretOf({ keys }, upstream) === undefined) {
    const todo = `Run "latchkey upstream update ${name} --secret-stdin", or restore the keys.`;
    yield problem(about, `${name}: the keys can't open its secret, so nobody can sign in with it. ${todo}`);
  }
  // An email address counts only if its domain is trusted, so people with one that is only allowed don't get in.
  const closed = trustedDomains.includes(everyDomain)
    ? []
    : allowedDomains.filter((domain) => !trustedDomains.includes(domain));
  if (closed.length > 0) {
    const todo = `Trust it with "latchkey upstream update ${name} --trusted-domain", or don't allow it.`;
    yield warning(
      about,
      `${name}: allowed, but not trusted, so nobody gets in from there: ${closed.join(', ')}. ${todo}`,
    );
  }
  if (metadata.kind === 'github') return;
  const found = await connector.discover(upstream, chosenAlgorithm(metadata));
  if (found.kind === 'failed') yield problem(about, `${name}: ${found.problem}.`);
  else if (JSON.stringify(endpointsJson(found.metadata)) !== JSON.stringify(endpointsJson(metadata))) {
    const todo = `Look at them with "latchkey upstream refresh ${name} --dry-run".`;
    yield warning(about, `${name} announces other endpoints than those in use. ${todo}`);
  }
}
