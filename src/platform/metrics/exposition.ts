// Writes metrics in the Prometheus text format, version 0.0.4.

import type { FamilyDescription, Snapshot } from './registry.ts';

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

export function exposition({ families, values }: Snapshot): string {
  const lines: string[] = [];
  for (const [index, family] of families.entries()) {
    lines.push(`# HELP ${family.name} ${family.help}`, `# TYPE ${family.name} ${family.type}`);
    const own = values[index] ?? new Float64Array();
    if (family.type === 'histogram') writeHistogram(lines, family, own);
    else for (const [place, labels] of family.series.entries()) lines.push(line(family.name, labels, own[place] ?? 0));
  }
  return `${lines.join('\n')}\n`;
}

/** Buckets are kept one by one, and written with everything below them included. */
function writeHistogram(lines: string[], { name, series, bounds }: FamilyDescription, values: Float64Array): void {
  const slots = bounds.length + 2;
  for (const [index, labels] of series.entries()) {
    const start = index * slots;
    const and = labels === '' ? '' : `${labels},`;
    let count = 0;
    for (const [bucket, bound] of bounds.entries()) {
      count += values[start + bucket] ?? 0;
      lines.push(line(`${name}_bucket`, `${and}le="${bound}"`, count));
    }
    count += values[start + bounds.length] ?? 0;
    lines.push(line(`${name}_bucket`, `${and}le="+Inf"`, count));
    lines.push(line(`${name}_sum`, labels, values[start + bounds.length + 1] ?? 0));
    lines.push(line(`${name}_count`, labels, count));
  }
}

function line(name: string, labels: string, value: number): string {
  return labels === '' ? `${name} ${value}` : `${name}{${labels}} ${value}`;
}
