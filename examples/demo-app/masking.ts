// What is shown of a secret: its first characters and how long it is. Masking happens before anything is recorded, so
// that a recording holds no secret.

const secretNames = new Set([
  ...['client_secret', 'code', 'code_verifier', 'token', 'access_token', 'refresh_token', 'id_token'],
]);

export function masked(secret: string): string {
  // Of a short one nothing is shown: its beginning would be half of it.
  return `${secret.length < 20 ? '' : secret.slice(0, 4)}••• (${secret.length} characters)`;
}

/** A parameter's value, masked when its name is that of a secret. */
export function maskedParameter(name: string, value: string): string {
  return secretNames.has(name) ? masked(value) : value;
}

export function maskedHeader(name: string, value: string): string {
  if (name === 'Authorization') return value.replace(/\S+$/, masked);
  if (name === 'Set-Cookie') return value.replace(/=[^;]+/, (assigned) => `=${masked(assigned.slice(1))}`);
  return value;
}

/** A JSON body, indented, with every secret in it masked. Any other text could hold one anywhere, so it is not shown. */
export function maskedBody(text: string): string {
  try {
    const replace = (name: string, value: unknown) =>
      typeof value === 'string' ? maskedParameter(name, value) : value;
    return JSON.stringify(JSON.parse(text), replace, 2);
  } catch {
    return `(${text.length} characters that are not JSON)`;
  }
}
