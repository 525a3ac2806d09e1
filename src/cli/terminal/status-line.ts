// The one line of a terminal that's rewritten while a command works. It's on standard error, so that it never ends up in
// a result, and whatever prints something removes it first.

let shown = false;

/** Whether a line can be rewritten at all. */
export function hasStatusLine(): boolean {
  return process.stderr.isTTY === true && process.env.TERM !== 'dumb';
}

export function showStatus(text: string): void {
  if (!hasStatusLine()) return;
  process.stderr.write(`\r${text}\u001b[K`);
  shown = true;
}

export function clearStatus(): void {
  if (!shown) return;
  process.stderr.write('\r\u001b[K');
  shown = false;
}
