// The settings of a client as a `.env` file.

export interface EnvSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for public clients. */
  readonly clientSecret: string | undefined;
  readonly redirectUri: string;
}

export function envFile(settings: EnvSettings): string {
  const lines = [
    ['OIDC_ISSUER', settings.issuer],
    ['OIDC_CLIENT_ID', settings.clientId],
    ...(settings.clientSecret === undefined ? [] : [['OIDC_CLIENT_SECRET', settings.clientSecret]]),
    ['OIDC_REDIRECT_URI', settings.redirectUri],
  ];
  return lines.map(([name, value = '']) => `${name}=${quoted(value)}\n`).join('');
}

/** Quoted only where necessary, and in the ways that shells and libraries read alike. */
function quoted(value: string): string {
  if (/^[A-Za-z0-9_.:/@%+,=-]*$/.test(value)) return value;
  return value.includes("'") ? `"${value.replace(/["\\$`]/g, '\\$&')}"` : `'${value}'`;
}
