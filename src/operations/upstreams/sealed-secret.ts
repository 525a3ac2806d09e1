// How the secret for an upstream is kept: sealed, so that a stolen database doesn't reveal it.

/** What a secret is sealed for: moved to another upstream, it doesn't open. */
export function upstreamSecretPurpose(name: string): string {
  return `upstream secret ${name}`;
}
