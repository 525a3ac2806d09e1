// Reads DATABASE_URL, a PostgreSQL connection URI, into where to connect and how the connection is protected. Off this
// machine a connection is encrypted and the server's certificate is verified, unless the URL says otherwise (decision 44).
// Unsupported settings are invalid rather than ignored.

export interface DatabaseAddress {
  /** A name, an IP address, or the folder of a Unix socket, which begins with "/". */
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly protection: Protection;
  /** Server settings for each session, as `options` of libpq. */
  readonly options: string | undefined;
  readonly applicationName: string | undefined;
  readonly channelBinding: boolean;
}

export type Protection =
  /** The connection doesn't leave this machine, or the operator accepts that it's unencrypted. */
  | { readonly kind: 'none'; readonly local: boolean }
  | {
      readonly kind: 'tls';
      /** False only if the operator asked for it: an attacker in between can then impersonate the server. */
      readonly verified: boolean;
      /** Files; without `rootCertificate` the authorities that Node trusts. */
      readonly rootCertificate: string | undefined;
      readonly certificate: string | undefined;
      readonly key: string | undefined;
    };

export type DatabaseUrlReading =
  | { readonly kind: 'valid'; readonly address: DatabaseAddress }
  /** A sentence without the URL, which contains a password. */
  | { readonly kind: 'invalid'; readonly problem: string };

const form = /^postgres(?:ql)?:\/\/([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s;
const hostAndPort = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/;
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i;
const known = new Set([
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'options',
  'application_name',
  'target_session_attrs',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'channel_binding',
]);
const tlsModes = new Set(['require', 'verify-ca', 'verify-full', 'no-verify']);

export function readDatabaseUrl(url: string): DatabaseUrlReading {
  const [, authority, path = '', query = ''] = form.exec(url) ?? [];
  if (authority === undefined) {
    return invalid('must be a URL of the form postgres://user:password@host:port/database');
  }
  const parameters = new URLSearchParams(query);
  const get = (name: string) => parameters.get(name) || undefined;
  const unknown = [...parameters.keys()].find((name) => !known.has(name));
  if (unknown !== undefined) {
    return invalid(`has a parameter that Latchkey doesn't know: ${unknown}. It knows ${[...known].join(', ')}`);
  }
  const repeated = [...known].find((name) => parameters.getAll(name).length > 1);
  if (repeated !== undefined) return invalid(`has the parameter ${repeated} twice. Write it once`);

  const at = authority.lastIndexOf('@');
  const [user, password] = at < 0 ? [] : splitAtColon(authority.slice(0, at));
  const [, urlHost = '', urlPort = ''] = hostAndPort.exec(authority.slice(at + 1)) ?? [];
  const host = get('host') ?? (decoded(urlHost).replace(/^\[(.*)\]$/, '$1') || 'localhost');
  const several = `${authority.slice(at + 1)}${host}${get('port') ?? ''}`.includes(',');
  if (several) {
    return invalid(
      "names several hosts, and Latchkey connects to one. Name an address that always leads to the primary: your provider's " +
        'endpoint for writing, or a proxy such as HAProxy or PgBouncer that follows it',
    );
  }
  const port = Number(get('port') ?? (urlPort || '5432'));
  if (hostAndPort.exec(authority.slice(at + 1)) === null || !(port >= 1 && port <= 65_535)) {
    return invalid("has a port that isn't a number from 1 to 65535");
  }

  const session = get('target_session_attrs') ?? 'read-write';
  if (session !== 'read-write' && session !== 'primary') {
    return invalid(
      `has target_session_attrs=${session}, and Latchkey works only on a primary. Write read-write or leave it out`,
    );
  }
  const protection = readProtection(host, get);
  if (typeof protection === 'string') return invalid(protection);
  return {
    kind: 'valid',
    address: {
      host,
      port,
      user: get('user') ?? decodedPart(user),
      password: get('password') ?? decodedPart(password),
      database: get('dbname') ?? decodedPart(path),
      protection,
      options: get('options'),
      applicationName: get('application_name'),
      channelBinding: (get('channel_binding') ?? 'disable') !== 'disable',
    },
  };
}

/** The protection, or what is wrong with it. */
function readProtection(host: string, get: (name: string) => string | undefined): Protection | string {
  const mode = get('sslmode');
  const files = { rootCertificate: get('sslrootcert'), certificate: get('sslcert'), key: get('sslkey') };
  if (mode === 'prefer' || mode === 'allow') {
    return `has sslmode=${mode}, which falls back to clear text. Write verify-full, or disable for clear text`;
  }
  if (mode !== undefined && mode !== 'disable' && !tlsModes.has(mode)) {
    return 'has an sslmode that is none of verify-full, no-verify and disable';
  }
  const local = host.startsWith('/') || loopback.test(host);
  const wanted = mode !== undefined || Object.values(files).some((file) => file !== undefined);
  // TLS isn't used on Unix sockets, whatever the mode: PostgreSQL doesn't offer it there.
  if (mode === 'disable' || host.startsWith('/') || (local && !wanted)) return { kind: 'none', local };
  // "system" is libpq's name for the default here.
  const rootCertificate = files.rootCertificate === 'system' ? undefined : files.rootCertificate;
  return { kind: 'tls', verified: mode !== 'no-verify', ...files, rootCertificate };
}

function splitAtColon(text: string): [string, string | undefined] {
  const colon = text.indexOf(':');
  return colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)];
}

function decodedPart(text: string | undefined): string | undefined {
  return text ? decoded(text) : undefined;
}

/** Percent signs that encode nothing stay as they are: passwords are often pasted without encoding. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}

function invalid(problem: string): DatabaseUrlReading {
  return { kind: 'invalid', problem: `DATABASE_URL ${problem}` };
}
