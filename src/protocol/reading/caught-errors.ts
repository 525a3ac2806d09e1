// What a caught value says: anything can be thrown, but most of it is an error.

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Such as ENOENT; undefined if there is none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether the operating system refused something, as opposed to a bug. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall !== undefined;
}
