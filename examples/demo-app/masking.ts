// Masks secrets, leaving their first characters and their length. Applied before anything is recorded, so that a
// recording contains no secret.

const secretNames = new Set([
  'client_secret',
  'code',
  'code_verifier',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'id_token_hint',
]);

export function masked(secret: string): string {
  // The first characters of a short secret would be too much of it.
  return `${secret.length < 20 ? '' : secret.slice(0, 4)}••• (${secret.length} characters)`;
}

/** Masks the value if the parameter is a secret. */
export function maskedParameter(name: string, value: string): string {
  return secretNames.has(name) ? masked(value) : value;
}

export function maskedHeader(name: string, value: string): string {
  if (name === 'Authorization') return value.replace(/\S+$/, masked);
  if (name === 'Set-Cookie') return value.replace(/=[^;]+/, (assigned) => `=${masked(assigned.slice(1))}`);
  return value;
}

/**
 * Formats a JSON body and masks the secrets in it. Any other text isn't shown, because it could contain one anywhere.
 */
export function maskedBody(text: string): string {
  try {
    const replace = (name: string, value: unknown) =>
      typeof value === 'string' ? maskedParameter(name, value) : value;
    return JSON.stringify(JSON.parse(text), replace, 2);
  } catch {
    return `(${text.length} characters that are not JSON)`;
  }
}
