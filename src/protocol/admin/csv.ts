// Lines of a CSV file, as RFC 4180 describes it. Spreadsheets run a cell that begins like a formula, and what people call
// themselves ends up in cells, so those get an apostrophe in front.

export type CsvValue = string | number | boolean | null;

export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: CsvValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
