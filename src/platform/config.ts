// Reads the environment once into a typed record, and reports everything that is wrong with it at once. The
// files, the database and the mail server that it names are checked when they are opened.

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { mayBeEmail } from '../protocol/account/email-address.ts';
import { isLoopbackHost } from '../protocol/oauth/redirect-uri.ts';
import { codeOf } from '../protocol/reading/caught-errors.ts';
import { readDatabaseUrl } from '../protocol/reading/database-url.ts';
import { includes } from '../protocol/reading/includes.ts';
import { type SignUpMode, signUpModes } from '../protocol/resources/settings.ts';
import {
  type ConfigVariableName,
  configVariables,
  type Environment,
  fileVariable,
  secretsInFiles,
  type VariableWithStandard,
} from './config-variables.ts';
import { type KeyList, keyListProblem, readKeyList } from './key-list.ts';

export type { Environment } from './config-variables.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];
const logFormats = ['auto', 'json', 'text'] as const;
export type LogFormat = (typeof logFormats)[number];

export interface Config {
  /** The issuer: an origin, without a trailing slash. */
  readonly baseUrl: string;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** The PostgreSQL database; undefined for the embedded store. */
  readonly databaseUrl: string | undefined;
  /** Keys from the environment; undefined if they are in the key file. */
  readonly keys: KeyList | undefined;
  readonly keysFile: string;
  readonly trustProxy: readonly string[];
  /** Networks that webhooks may be sent to besides the public ones. */
  readonly webhookNetworks: readonly string[];
  /** Internal networks that identity providers may be in. */
  readonly upstreamNetworks: readonly string[];
  readonly eventsDays: number;
  /** Scheduled backups; undefined for none. */
  readonly backups: { readonly folder: string; readonly hours: number; readonly keep: number } | undefined;
  /** How many processes share the port. */
  readonly workers: number;
  /** How long the service keeps serving after SIGTERM while it reports that it isn't ready. */
  readonly drainSeconds: number;
  readonly lastUsedHours: number;
  readonly logLevel: LogLevel;
  /** With `auto`, text on a terminal and JSON elsewhere. */
  readonly logFormat: LogFormat;
  /** Where /metrics is served; undefined if it isn't. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** The filter file of breached passwords; undefined if there is none. */
  readonly breachedPasswords: string | undefined;
  /** Who can create an account, until an administrator changes the setting. */
  readonly signUp: SignUpMode;
  /** Whether the documentation is served under /docs. */
  readonly docs: 'on' | 'off';
  /** Where email goes: to an SMTP server, to the outbox page for development, or nowhere. */
  readonly email: { kind: 'smtp'; url: string; from: string } | { kind: 'outbox' } | { kind: 'none' };
}

export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

export function readConfig(given: Environment): Config {
  const problems: string[] = [];
  const environment = withSecretsFromFiles(given, problems);
  // Many tools can only express "not set" as an empty variable.
  const get = (name: ConfigVariableName) => environment[name] || undefined;
  const getOrStandard = (name: VariableWithStandard) => get(name) ?? configVariables[name].standard;

  const databaseUrl = get('DATABASE_URL');
  const database = databaseUrl === undefined ? undefined : readDatabaseUrl(databaseUrl);
  if (database?.kind === 'invalid') problems.push(database.problem);

  const base = readBaseUrl(getOrStandard('LATCHKEY_BASE_URL'), problems);
  const readNumber = (name: ConfigVariableName, text: string, least: number, most: number) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      problems.push(`${name} must be a whole number from ${least} to ${most}, not "${text}"`);
    }
    return value;
  };
  const port = readNumber('LATCHKEY_PORT', get('LATCHKEY_PORT') ?? base.port, 0, 65_535);
  const eventsDays = readNumber('LATCHKEY_EVENTS_DAYS', getOrStandard('LATCHKEY_EVENTS_DAYS'), 1, 36_500);
  const lastUsedHours = readNumber('LATCHKEY_LAST_USED_HOURS', getOrStandard('LATCHKEY_LAST_USED_HOURS'), 1, 24);
  const backupFolder = get('LATCHKEY_BACKUP_FOLDER');
  const backupHours = readNumber('LATCHKEY_BACKUP_HOURS', getOrStandard('LATCHKEY_BACKUP_HOURS'), 1, 744);
  const backupKeep = readNumber('LATCHKEY_BACKUP_KEEP', getOrStandard('LATCHKEY_BACKUP_KEEP'), 1, 10_000);
  const workers = readNumber('LATCHKEY_WORKERS', getOrStandard('LATCHKEY_WORKERS'), 1, 64);
  const drainSeconds = readNumber('LATCHKEY_DRAIN_SECONDS', getOrStandard('LATCHKEY_DRAIN_SECONDS'), 0, 300);

  const readNetworks = (name: 'LATCHKEY_TRUST_PROXY' | 'LATCHKEY_WEBHOOK_NETWORKS' | 'LATCHKEY_UPSTREAM_NETWORKS') => {
    const networks = (get(name) ?? '').split(',').map((part) => part.trim());
    const given = networks.filter(Boolean);
    for (const network of given) {
      if (!isAddressOrNetwork(network)) {
        problems.push(`${name}: "${network}" is not an IP address or network such as 10.0.0.0/8`);
      } else if (name === 'LATCHKEY_TRUST_PROXY' && /\/0+$/.test(network)) {
        problems.push(`${name}: "${network}" would let everyone choose their IP address; list your proxies`);
      }
    }
    return given;
  };
  const trustProxy = readNetworks('LATCHKEY_TRUST_PROXY');
  const webhookNetworks = readNetworks('LATCHKEY_WEBHOOK_NETWORKS');
  const upstreamNetworks = readNetworks('LATCHKEY_UPSTREAM_NETWORKS');

  const metricsHost = getOrStandard('LATCHKEY_METRICS_HOST');
  const metricsPortText = get('LATCHKEY_METRICS_PORT');
  const metricsPort =
    metricsPortText === undefined ? undefined : readNumber('LATCHKEY_METRICS_PORT', metricsPortText, 1, 65_535);
  if (metricsPort !== undefined && metricsPort === port) {
    problems.push("LATCHKEY_METRICS_PORT must be a port of its own, not the service's");
  }

  const readChoice = <Choice extends string>(name: VariableWithStandard, choices: readonly [Choice, ...Choice[]]) => {
    const text = getOrStandard(name);
    if (includes(choices, text)) return text;
    problems.push(`${name} must be ${choices.length === 2 ? choices.join(' or ') : `one of ${choices.join(', ')}`}`);
    return choices[0];
  };
  const logLevel = readChoice('LATCHKEY_LOG_LEVEL', logLevels);
  const logFormat = readChoice('LATCHKEY_LOG_FORMAT', logFormats);

  const keysText = get('LATCHKEY_KEYS');
  const keys = keysText === undefined ? undefined : readKeyList(keysText);
  if (keysText !== undefined && keys === undefined) problems.push(`LATCHKEY_KEYS ${keyListProblem(keysText)}`);

  const signUp = readChoice('LATCHKEY_SIGN_UP', signUpModes);
  const docs = readChoice('LATCHKEY_DOCS', ['on', 'off']);

  const smtpUrl = get('LATCHKEY_SMTP_URL');
  const mailFrom = get('LATCHKEY_MAIL_FROM');
  // Never print the URL: it contains a password.
  if (smtpUrl !== undefined && !/^smtps?:$/.test(URL.parse(smtpUrl)?.protocol ?? '')) {
    problems.push('LATCHKEY_SMTP_URL must look like smtp://user:password@host:port or smtps://…');
  }
  if (smtpUrl !== undefined && mailFrom === undefined) {
    problems.push('LATCHKEY_MAIL_FROM is required when LATCHKEY_SMTP_URL is set');
  }
  if (mailFrom !== undefined && !isSender(mailFrom)) {
    problems.push(
      'LATCHKEY_MAIL_FROM must be an email address such as latchkey@example.com or "Latchkey <latchkey@example.com>"',
    );
  }

  const breachedPasswords = getOrStandard('LATCHKEY_BREACHED_PASSWORDS');
  const dataDir = resolve(getOrStandard('LATCHKEY_DATA_DIR'));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return {
    baseUrl: base.url,
    host: getOrStandard('LATCHKEY_HOST'),
    port,
    dataDir,
    databaseUrl,
    keys,
    keysFile: resolve(get('LATCHKEY_KEYS_FILE') ?? resolve(dataDir, 'keys')),
    trustProxy,
    webhookNetworks,
    upstreamNetworks,
    eventsDays,
    backups:
      backupFolder === undefined ? undefined : { folder: resolve(backupFolder), hours: backupHours, keep: backupKeep },
    workers,
    drainSeconds,
    lastUsedHours,
    logLevel,
    logFormat,
    metrics: metricsPort === undefined ? undefined : { host: metricsHost, port: metricsPort },
    breachedPasswords: breachedPasswords === 'off' ? undefined : resolve(breachedPasswords),
    signUp,
    docs,
    email: emailSettings(base.url, smtpUrl, mailFrom),
  };
}

function emailSettings(baseUrl: string, smtpUrl: string | undefined, from: string | undefined): Config['email'] {
  if (smtpUrl !== undefined && from !== undefined) return { kind: 'smtp', url: smtpUrl, from };
  return isLoopbackHost(new URL(baseUrl).hostname) ? { kind: 'outbox' } : { kind: 'none' };
}

function isSender(text: string): boolean {
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  return mayBeEmail(address);
}

function readBaseUrl(text: string, problems: string[]): { url: string; port: string } {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    problems.push(`LATCHKEY_BASE_URL must be an absolute http or https URL, not "${text}"`);
    return { url: text, port: '0' };
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    problems.push('LATCHKEY_BASE_URL must use https; plain http works only on localhost, 127.0.0.1 and [::1]');
  }
  if (text !== url.origin) {
    problems.push(`LATCHKEY_BASE_URL must be just an origin, without a path, query or trailing slash: ${url.origin}`);
  }
  return { url: text, port: url.port || (url.protocol === 'https:' ? '443' : '80') };
}

export function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** A network that's wider than every private one holds people, too, and not only proxies. */
export function isWideNetwork(network: string): boolean {
  const [address = '', bits = '128'] = network.split('/');
  return Number(bits) < (isIP(address) === 4 ? 8 : 7);
}

/** What is wrong with trusting these proxies; undefined if nothing is. */
export function proxyProblem(trustProxy: readonly string[]): string | undefined {
  const wide = trustProxy.filter(isWideNetwork);
  if (wide.length === 0) return undefined;
  return `LATCHKEY_TRUST_PROXY: ${wide.join(', ')} lets people choose their own IP address. List your proxies exactly.`;
}

/**
 * The environment with the values of secrets that are in files, as Kubernetes, systemd and Docker provide them: NAME_FILE
 * names the file that holds the value of NAME. A process's environment is easier to come by than a file that only its user
 * can read. Problems with files are added to `problems`.
 */
function withSecretsFromFiles(environment: Environment, problems: string[]): Environment {
  const found: Record<string, string> = {};
  for (const name of secretsInFiles) {
    const file = environment[fileVariable(name)];
    // Many tools can only express "not set" as an empty variable.
    if (!file) continue;
    if (environment[name]) problems.push(bothSet(name));
    else found[name] = readSecret(fileVariable(name), file, problems);
  }
  // The key file is opened later, because it's created if it doesn't exist.
  if (environment.LATCHKEY_KEYS && environment.LATCHKEY_KEYS_FILE) problems.push(bothSet('LATCHKEY_KEYS'));
  return Object.keys(found).length === 0 ? environment : { ...environment, ...found };
}

function bothSet(name: string): string {
  return `${name} and ${name}_FILE are both set; set only one of them`;
}

/** Problems never repeat the file's content. */
function readSecret(variable: string, file: string, problems: string[]): string {
  let text = '';
  try {
    // Editors and `echo` end a file with a newline.
    text = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
  } catch (error) {
    problems.push(`${variable}: can't read ${file} (${codeOf(error)})`);
    return '';
  }
  if (text.trim() === '') problems.push(`${variable}: ${file} is empty`);
  else if (/[\r\n]/.test(text)) problems.push(`${variable}: ${file} must contain a single line`);
  return text;
}
