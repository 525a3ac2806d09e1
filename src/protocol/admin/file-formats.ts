// Files for other programs: CSV as RFC 4180 describes it, and the settings of a client as a `.env` file.

export type CsvValue = string | number | boolean | null;

/**
 * Spreadsheets run a cell that begins like a formula, and what people call themselves ends up in cells, so those get an apostrophe
 * in front. Where a decimal is written with a comma, spreadsheets split cells at semicolons instead, so what follows one inside a
 * value counts as the beginning of a cell, too. Some take the wide and small forms of a formula's first character, as East Asian
 * keyboards type them, for the character itself.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: CsvValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  // Most cells need none of the following, and a download has a million of them.
  if (!/^[=+\-@＝＋－＠﹦﹢﹣﹫]|[",;\t\r\n]/.test(value)) return value;
  const inside = value.replace(/([;\t\r\n][" ]*)(?=[=+\-@＝＋－＠﹦﹢﹣﹫])/g, "$1'");
  const safe = /^[=+\-@＝＋－＠﹦﹢﹣﹫\t\r\n]/.test(inside) ? `'${inside}` : inside;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

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
