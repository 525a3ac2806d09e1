// `latchkey doctor`: checks everything that an operator can get wrong and says what to do about it. It changes nothing.

import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { findSweepPause } from '../operations/journal/sweep.ts';
import { type Config, ConfigurationError, type Environment, readConfig } from '../platform/config.ts';
import { isEmptyKeyFile } from '../platform/key-file.ts';
import { keyListProblem, keyListRule, readKeyList } from '../platform/key-list.ts';
import { smtpMailer } from '../platform/mailer.ts';
import { isoTime } from '../protocol/iso-time.ts';
import { readDatabaseUrl } from '../protocol/reading/database-url.ts';
import type { Driver } from '../storage/driver.ts';
import { judgeSchema } from '../storage/migrating.ts';
import { readMigrations, sqlStorage } from '../storage/sql/sql-storage.ts';
import { StoreUnusable } from '../storage/storage.ts';
import { type Command, CommandFailed, print, printJson, printTable, readArguments } from './command.ts';
import { pauseReasons } from './service/sweep-report.ts';
import { databaseFile, openStore } from './store/open-store.ts';

interface Finding {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly about: string;
  readonly text: string;
}

const megabyte = 1024 * 1024;
const requestTimeout = 5000;
/** Codes and tokens expire by the clock. Machines further apart than this disagree about what has expired. */
const clockTolerance = 5000;

export const doctor: Command = {
  usage: `Usage: latchkey doctor [--json]

Checks the configuration, the store, the running service, the clock, the keys, mail, the proxy and the base URL, and
whether there is an administrator, and says what to do. Run it with the environment of the service, best while it runs. Exit status 1 when
there is a problem.`,

  async run(args, environment) {
    const { values } = readArguments(args, { json: { type: 'boolean' } }, []);
    const findings = await examine(environment);
    if (values.json) printJson(findings);
    else printTable(findings.map(({ state, about, text }) => [state, about, text]));
    const problems = findings.filter((finding) => finding.state === 'problem').length;
    if (problems > 0)
      throw new CommandFailed(`${problems === 1 ? 'there is a problem' : `there are ${problems} problems`}.`);
    const warnings = findings.filter((finding) => finding.state === 'warning').length;
    if (!values.json)
      print(warnings === 0 ? '\nNothing is in the way.' : '\nNothing is broken, but look at the warnings.');
  },
};

async function examine(environment: Environment): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map((text) => problem('configuration', text));
  }
  const found = await Promise.all([examineStore(config), examineService(config), examineEmail(config)]);
  return [
    ok('configuration', `${config.baseUrl}, sign-up ${config.signUp}`),
    ...examineFolder(config),
    ...examineKeys(config, environment),
    ...examineConnection(config),
    ...found.flat(),
    ...examineProxy(config),
  ];
}

function examineFolder(config: Config): Finding[] {
  const folder = statSync(config.dataDir, { throwIfNoEntry: false });
  if (folder === undefined) return [warning('data', `${config.dataDir} is not there yet; the first start makes it.`)];
  const findings: Finding[] = [];
  if ((folder.mode & 0o077) !== 0) {
    findings.push(warning('data', `${config.dataDir} can be read by others; "chmod 700" it.`));
  }
  const { bavail, bsize } = statfsSync(config.dataDir);
  const free = Math.floor((bavail * bsize) / megabyte);
  const text = `${free} MB are free at ${config.dataDir}`;
  if (free < 100) findings.push(problem('disk', `${text}; writing will fail soon. Make room.`));
  else if (free < 1024) findings.push(warning('disk', `${text}; that is not much.`));
  else findings.push(ok('disk', `${text}.`));
  return findings;
}

function examineKeys(config: Config, environment: Environment): Finding[] {
  if (config.keys !== undefined) return [ok('keys', 'from LATCHKEY_KEYS.')];
  if (!existsSync(config.keysFile)) {
    return [warning('keys', `${config.keysFile} is not there yet; the first start makes it.`)];
  }
  if (isEmptyKeyFile(config.keysFile)) {
    const text = 'Restore it from your backup. Next to an empty store, the next start makes a new key.';
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
  if ((statSync(config.keysFile).mode & 0o077) !== 0) {
    findings.push(problem('keys', `${config.keysFile} can be read by others; "chmod 600" it, and rotate the keys.`));
  }
  if (config.databaseUrl !== undefined && environment.LATCHKEY_KEYS_FILE === undefined) {
    findings.push(warning('keys', 'these are of this machine alone; several instances need the same.'));
  }
  return findings;
}

async function examineStore(config: Config): Promise<Finding[]> {
  const place = config.databaseUrl === undefined ? databaseFile(config) : 'PostgreSQL';
  if (config.databaseUrl === undefined && !existsSync(place)) {
    return [warning('store', `${place} is not there yet; the first start makes it.`)];
  }
  let driver: Driver | undefined;
  try {
    driver = await openStore(config);
    const state = judgeSchema(await driver.appliedMigrations(), readMigrations());
    if (state.kind === 'edited') return [problem('store', state.sentence)];
    const { version } = state;
    if (state.kind === 'newer') {
      const known = `this one knows ${state.needed}`;
      return [problem('store', `${place} is at schema version ${version}, of a newer Latchkey; ${known}.`)];
    }
    if (state.kind === 'behind') {
      const todo =
        config.databaseUrl === undefined ? 'The next start brings it up to date.' : 'Run "latchkey migrate".';
      const finding = config.databaseUrl === undefined ? warning : problem;
      return [finding('store', `${place} is at schema version ${version}, and ${state.needed} is needed. ${todo}`)];
    }
    const store = ok('store', `${place}, schema version ${version}.`);
    return [store, await examineAdministrators(driver), await examineSweep(driver)];
  } catch (error) {
    if (error instanceof StoreUnusable) return [problem('store', error.message)];
    return [problem('store', `${place} does not answer: ${(error as Error).message}.`)];
  } finally {
    await driver?.close();
  }
}

/** Whether somebody on the way to the database could read along. */
function examineConnection(config: Config): Finding[] {
  const reading = config.databaseUrl === undefined ? undefined : readDatabaseUrl(config.databaseUrl);
  if (reading?.kind !== 'valid') return [];
  const { host, protection } = reading.address;
  const better = 'Use sslmode=verify-full, with sslrootcert if the certificate is from an authority of your own.';
  if (protection.kind === 'none') {
    if (protection.local) return [ok('connection', `${host} is on this machine.`)];
    return [warning('connection', `sslmode=disable: everything goes to ${host} in clear text. ${better}`)];
  }
  if (protection.verified) return [ok('connection', `to ${host} by TLS, and its certificate is verified.`)];
  return [warning('connection', `sslmode=no-verify: the certificate of ${host} isn't verified. ${better}`)];
}

async function examineAdministrators(driver: Driver): Promise<Finding> {
  const count = await sqlStorage(driver).countAdministrators();
  if (count > 0) return ok('administrator', `there ${count === 1 ? 'is one' : `are ${count}`}.`);
  return warning('administrator', 'there is none. "latchkey setup-link" prints an address at which one is made.');
}

async function examineSweep(driver: Driver): Promise<Finding> {
  const pause = await findSweepPause({ storage: sqlStorage(driver) });
  if (pause === undefined) return ok('sweep', 'what has expired is deleted.');
  const text = `paused since ${isoTime(pause.since)}: ${pauseReasons[pause.reason]}. Nothing is deleted meanwhile.`;
  return problem('sweep', `${text} Set the clock right, or run "latchkey sweep --resume" if it is.`);
}

async function examineService(config: Config): Promise<Finding[]> {
  const url = `${config.baseUrl}/.well-known/openid-configuration`;
  let response: Response;
  try {
    response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(requestTimeout) });
  } catch (error) {
    const reason = causeOf(error);
    return [
      warning('base URL', `nothing answers at ${config.baseUrl} (${reason}). Start the service, or look at the proxy.`),
    ];
  }
  const body = (await response.json().catch(() => undefined)) as { issuer?: unknown } | undefined;
  if (body?.issuer !== config.baseUrl) {
    const text = `${config.baseUrl} is answered by something else (status ${response.status}). Look at the proxy's target.`;
    return [problem('base URL', text)];
  }
  const findings = [
    ok('base URL', `${config.baseUrl} leads to a Latchkey with this issuer.`),
    ...(await examineReadiness(config)),
  ];
  const apart = Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now());
  if (apart > clockTolerance) {
    findings.push(
      problem('clock', `this machine and the service are ${Math.round(apart / 1000)} s apart. Run a time service.`),
    );
  } else if (!Number.isNaN(apart)) findings.push(ok('clock', 'agrees with the service.'));
  return findings;
}

const unreadiness: Readonly<Record<string, string>> = {
  store_unreachable:
    'cannot reach its store. If its data directory was deleted or moved, stop it, restore a backup and start it again; its log says more.',
  store_not_writable: 'cannot write to its store: the disk is full or the database read-only. Its log says more.',
};

/** The service may be worse off than the store looks from here: the files that it has open may have been deleted. */
async function examineReadiness(config: Config): Promise<Finding[]> {
  const signal = AbortSignal.timeout(requestTimeout);
  const response = await fetch(`${config.baseUrl}/readyz`, { redirect: 'manual', signal }).catch(() => undefined);
  const body = (await response?.json().catch(() => undefined)) as { status?: unknown; reason?: unknown } | undefined;
  // A proxy may keep this path to itself.
  if (body === undefined || typeof body.status !== 'string') return [];
  if (body.status === 'ready') return [ok('service', 'reads and writes its store.')];
  const text = unreadiness[String(body.reason)];
  if (text === undefined) return [warning('service', `is not ready: ${body.status}.`)];
  return [problem('service', `the running service ${text}`)];
}

async function examineEmail(config: Config): Promise<Finding[]> {
  if (config.email.kind === 'outbox') return [ok('mail', `to ${config.baseUrl}/dev/outbox; fine for development.`)];
  if (config.email.kind === 'none') {
    const lost = 'password reset, change of address and sign-up are not available';
    return [warning('mail', `no server: ${lost}. Set LATCHKEY_SMTP_URL and LATCHKEY_MAIL_FROM.`)];
  }
  const mailer = smtpMailer(config.email.url, config.email.from);
  const { host } = new URL(config.email.url);
  try {
    await mailer.verify();
    return [ok('mail', `${host} answers and takes the credentials.`)];
  } catch (error) {
    // The server's message is safe to print: it doesn't contain the credentials.
    return [
      problem(
        'mail',
        `${host} does not work: ${(error as Error).message.split('\n')[0]}. Mails wait and are tried again.`,
      ),
    ];
  } finally {
    mailer.close();
  }
}

function examineProxy(config: Config): Finding[] {
  if (!config.baseUrl.startsWith('https:')) return [];
  if (config.trustProxy.length > 0)
    return [ok('proxy', `${config.trustProxy.join(', ')} is believed about addresses.`)];
  const text = 'LATCHKEY_TRUST_PROXY is not set: behind a proxy, all people share its address. Name the proxy there.';
  return [warning('proxy', text)];
}

function causeOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}

function ok(about: string, text: string): Finding {
  return { state: 'ok', about, text };
}

function warning(about: string, text: string): Finding {
  return { state: 'warning', about, text };
}

function problem(about: string, text: string): Finding {
  return { state: 'problem', about, text };
}
