// Writes figures as a Markdown table that can be copied into the documentation.

export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(String))];
  return `${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`;
}

export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  process.stdout.write(table(head, rows));
}

/** As many digits as such a figure deserves. */
export function short(value: number): string {
  return value.toLocaleString(
    'en',
    Math.abs(value) >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 2 },
  );
}
