// Prints figures as a Markdown table that can be copied into docs/performance.md.

export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(String))];
  process.stdout.write(`${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`);
}

/** As many digits as such a figure deserves. */
export function short(value: number): string {
  return value.toLocaleString(
    'en',
    Math.abs(value) >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 2 },
  );
}
