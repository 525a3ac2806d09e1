// A reporter for Node's test runner: per file, the share of lines that tests reach and the ones they don't.

import { relative } from 'node:path';

export default async function* uncovered(source) {
  for await (const { type, data } of source) {
    if (type !== 'test:coverage') continue;
    const { files, totals } = data.summary;
    for (const file of files) {
      const missed = ranges(file.lines.filter(({ count }) => count === 0).map(({ line }) => line));
      if (missed.length === 0) continue;
      const share = file.coveredLinePercent.toFixed(1).padStart(5);
      yield `${share} %  ${relative(process.cwd(), file.path)}  ${missed.join(' ')}\n`;
    }
    yield `${totals.coveredLinePercent.toFixed(1)} % of the lines, ${totals.coveredFunctionPercent.toFixed(1)} % of the functions\n`;
  }
}

/** [1, 2, 3, 7] as ['1-3', '7']. */
function ranges(lines) {
  const found = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last?.end === line - 1) last.end = line;
    else found.push({ start: line, end: line });
  }
  return found.map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`));
}
