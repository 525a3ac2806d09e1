// The environment variables that configure the service. config.ts takes its defaults from this table, and `serve --help`
// and docs/settings.md are made from it.

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigVariable {
  /** In Markdown, in lower case and without a full stop. */
  readonly summary: string;
  /** The value when the variable isn't set. */
  readonly standard?: string;
  /** What applies then if there's no fixed default, in Markdown. */
  readonly fallback?: string;
  /** Whole sentences in Markdown, for the reference alone. */
  readonly details: string;
  /** Whether the value is secret. It can then come from a file that NAME_FILE names. */
  readonly secret?: true;
}

export const configVariables = {
  LATCHKEY_BASE_URL: {
    summary: 'the URL people reach the service at, which is also the issuer',
    standard: 'http://localhost:8455',
    details:
      'An origin, without a path or a trailing slash: `https://login.example.com`. It has to be `https`, except on `localhost`, `127.0.0.1` and `[::1]`. Changing it changes the issuer, so every application has to be updated.',
  },
  LATCHKEY_HOST: {
    summary: 'the IP address or host name to listen on',
    standard: '127.0.0.1',
    details: 'Use `0.0.0.0` in a container, or wherever the proxy runs on another machine.',
  },
  LATCHKEY_PORT: {
    summary: 'the port to listen on',
    fallback: "the base URL's port",
    details:
      'Set it when a proxy terminates TLS: the base URL then has port 443, and the service listens on another one.',
  },
  LATCHKEY_DATA_DIR: {
    summary: 'the folder for the database and the key file',
    standard: './data',
    details: 'Created with mode 0700 on the first start.',
  },
  DATABASE_URL: {
    summary: 'a PostgreSQL database to use instead of the embedded store: `postgres://…`',
    fallback: 'the embedded store',
    details:
      'Run `latchkey migrate` before the first start and after an upgrade. The connection uses TLS and verifies the certificate, except on loopback and Unix sockets; see [the connection to PostgreSQL](operating.md#the-connection-to-postgresql).',
    secret: true,
  },
  LATCHKEY_KEYS: {
    summary: "the service's keys, newest first, separated by commas or spaces",
    fallback: 'the key file',
    details:
      "Each key has at least 43 characters of base64url: `openssl rand -base64 32 | tr '+/' '-_' | tr -d '='`. All instances on one database need the same keys; see [Keys](operating.md#keys).",
    secret: true,
  },
  LATCHKEY_KEYS_FILE: {
    summary: "the file that holds the service's keys",
    fallback: '`keys` in the data directory',
    details:
      'Created with mode 0600 on the first start. Keys you add later are picked up within seconds, and used once every instance has them. Set either this or `LATCHKEY_KEYS`.',
  },
  LATCHKEY_TRUST_PROXY: {
    summary: 'the proxies whose `X-Forwarded-*` headers are trusted, as IP addresses or networks separated by commas',
    fallback: 'none',
    details:
      'Without it, everyone behind a proxy shares the proxy’s IP address, and a few failed sign-ins can lock everyone out for a while. List your proxies exactly: Latchkey believes the IP addresses that they report.',
  },
  LATCHKEY_SIGN_UP: {
    summary: '`closed`, `links`, `domains`, `approval` or `open`: who can create an account',
    standard: 'closed',
    details:
      'It applies until an administrator changes the setting `sign_up`, which takes the same values. With `closed`, administrators create accounts and invite people. All others require a mail server.',
  },
  LATCHKEY_BREACHED_PASSWORDS: {
    summary: '`off`, or a filter file of passwords to refuse because they were exposed in data breaches',
    standard: 'off',
    details:
      'Build it from a published list with `latchkey passwords build-filter`. Passwords are checked locally. The service doesn’t start if it can’t read the file. See [Breached passwords](breached-passwords.md).',
  },
  LATCHKEY_SMTP_URL: {
    summary: 'the mail server: `smtp://user:password@host:port` or `smtps://…`',
    fallback: 'no email; on `localhost`, the outbox at `/dev/outbox`',
    details:
      '`smtp://` upgrades to TLS with STARTTLS; `smtps://` uses TLS from the start. Without a mail server, people can’t sign up, reset a password or change their email address.',
    secret: true,
  },
  LATCHKEY_MAIL_FROM: {
    summary: 'the sender of emails: `Latchkey <login@example.com>`',
    fallback: 'required with `LATCHKEY_SMTP_URL`',
    details: 'An email address, with or without a name. The default name is the service’s.',
  },
  LATCHKEY_WEBHOOK_NETWORKS: {
    summary:
      'internal networks that webhooks and back-channel logout may reach, as IP addresses or networks separated by commas',
    fallback: 'none',
    details:
      'For endpoints in your own network: `10.20.0.0/16, fd00:20::/64`. By default, they are only sent to public IP addresses, over https; private, loopback, link-local and metadata addresses are refused. Plain http is only allowed in these networks.',
  },
  LATCHKEY_UPSTREAM_NETWORKS: {
    summary: 'internal networks that identity providers may be in, as IP addresses or networks separated by commas',
    fallback: 'none',
    details:
      'For an identity provider in your own network: `10.20.0.0/16, fd00:20::/64`. By default, the service only connects to public IP addresses. It always uses https, except to the same machine, whose network also has to be listed: `127.0.0.0/8, ::1`.',
  },
  LATCHKEY_DOCS: {
    summary: '`on` or `off`: whether the documentation is served at `/docs`',
    standard: 'on',
    details: 'With `off`, error responses don’t link to it either.',
  },
  LATCHKEY_EVENTS_DAYS: {
    summary: 'how many days events are kept',
    standard: '90',
    details: 'From 1 to 36,500.',
  },
  LATCHKEY_LAST_USED_HOURS: {
    summary: 'how many hours pass until it’s noted again that someone uses an application',
    standard: '1',
    details:
      'From 1 to 24. “Last used” and “last active” are good to this many hours, so an account can count as unused that much too soon. With very many people, these notes are most of what the database writes: see [Scaling](scaling.md#one-million-a-hundred-million-a-billion).',
  },
  LATCHKEY_BACKUP_FOLDER: {
    summary: 'the folder into which the service makes a backup every `LATCHKEY_BACKUP_HOURS`',
    fallback: 'no scheduled backups',
    details:
      'Nobody else may be able to read the folder, and it should be on a different disk than the store. If several instances have it set, one of them makes the backups. See [Backup and restore](operating.md#backup-and-restore).',
  },
  LATCHKEY_BACKUP_HOURS: {
    summary: 'how many hours pass between two scheduled backups',
    standard: '24',
    details: 'From 1 to 744. After a start, a backup is made at once if the newest is older.',
  },
  LATCHKEY_BACKUP_KEEP: {
    summary: 'how many backups are kept in `LATCHKEY_BACKUP_FOLDER`',
    standard: '14',
    details: 'From 1 to 10,000. Older ones are deleted once the new one is complete.',
  },
  LATCHKEY_WORKERS: {
    summary: 'how many processes share the port, for machines with several cores',
    standard: '1',
    details: 'From 1 to 64. See [Scaling](scaling.md) for what you gain.',
  },
  LATCHKEY_DRAIN_SECONDS: {
    summary: 'how long the service keeps serving after SIGTERM while `/readyz` returns 503',
    standard: '5',
    details:
      'From 0 to 300. It gives load balancers time to notice. Above 10, raise the supervisor’s stop timeout as well (`TimeoutStopSec` in systemd).',
  },
  LATCHKEY_METRICS_PORT: {
    summary: 'the port that serves `/metrics` for Prometheus',
    fallback: 'no metrics are served',
    details:
      'Don’t expose it through your proxy: anyone who can reach the port can read the metrics. See [Metrics](monitoring.md#metrics).',
  },
  LATCHKEY_METRICS_HOST: {
    summary: 'the IP address or host name to serve `/metrics` on',
    standard: '127.0.0.1',
    details: 'Use `0.0.0.0` if Prometheus runs on another machine, and only let Prometheus reach the port.',
  },
  LATCHKEY_LOG_LEVEL: {
    summary: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    standard: 'info',
    details: 'Logs go to standard output.',
  },
  LATCHKEY_LOG_FORMAT: {
    summary: '`json`, `text` for people, or `auto`: text on a terminal and JSON elsewhere',
    standard: 'auto',
    details:
      'JSON has one entry per line. Set `json` where a container gives the service a terminal and a program reads the log.',
  },
} as const satisfies Readonly<Record<string, ConfigVariable>>;

export type ConfigVariableName = keyof typeof configVariables;

/** The secrets whose value can be in a file instead. The key file has a row of its own: the service also writes to it. */
export const secretsInFiles: readonly string[] = Object.entries<ConfigVariable>(configVariables)
  .filter(([name, { secret }]) => secret && !(fileVariable(name) in configVariables))
  .map(([name]) => name);

/** The variable that names the file with the value of another one. */
export function fileVariable(name: string): string {
  return `${name}_FILE`;
}

/** The variables with a fixed default. */
export type VariableWithStandard = {
  [Name in ConfigVariableName]: (typeof configVariables)[Name] extends { readonly standard: string } ? Name : never;
}[ConfigVariableName];
