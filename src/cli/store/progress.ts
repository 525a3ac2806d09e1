// A progress bar on a terminal, and nothing elsewhere.

export interface Progress {
  add(count: number): void;
  done(): void;
}

const width = 30;
const redrawEvery = 100;

export function progressBar(label: string, total: number): Progress {
  const { stderr } = process;
  if (!stderr.isTTY) return { add: () => {}, done: () => {} };
  let count = 0;
  let drawnAt = 0;
  const draw = () => {
    const share = total === 0 ? 1 : Math.min(1, count / total);
    const bar = '█'.repeat(Math.round(share * width)).padEnd(width, '░');
    stderr.write(`\r${label} ${bar} ${Math.floor(share * 100)}%  ${count.toLocaleString('en')} rows `);
  };
  return {
    add(more) {
      count += more;
      if (Date.now() - drawnAt < redrawEvery) return;
      drawnAt = Date.now();
      draw();
    },
    done() {
      draw();
      stderr.write('\n');
    },
  };
}
