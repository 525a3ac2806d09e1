// What an error of the mail server is about: one email, or all of them.

/** The status of the server's reply, if the error is one. */
export function replyOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined;
  return typeof status === 'number' ? status : undefined;
}

/**
 * Whether the server refused this email because of its recipient or its content. Anything else happens to every email, also
 * when the sender is refused.
 */
export function concernsOneEmail(error: unknown): boolean {
  const command = error instanceof Error && 'command' in error ? error.command : undefined;
  return replyOf(error) !== undefined && (command === 'RCPT TO' || command === 'DATA');
}
