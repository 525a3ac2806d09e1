// node bench/versions.ts FOLDER: compares the CPU of this version with that of another checkout, request by request, and with a
// bare server. Rounds of a second are interleaved, and each figure is the median of the ratios of neighboring rounds.
//   --postgres     on PostgreSQL, with the database's CPU
//   --rounds N     15 by default

import { parseArgs } from 'node:util';
import { startLoadGenerator } from './load.ts';
import { median } from './median.ts';
import type { Server } from './server-process.ts';
import { responseSizes, startBare, startLatchkey } from './servers.ts';
import type { Work } from './work.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    postgres: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '15' },
    work: { type: 'string', default: 'userinfo,refresh,flow' },
  },
});
const [checkout] = positionals;
const engine = values.postgres ? 'PostgreSQL' : 'SQLite';
const works = values.work.split(',') as Work[];
const servers: Server[] = [];
const generator = startLoadGenerator();
try {
  const ours = await startLatchkey(engine);
  const before = await startLatchkey(engine, { checkout });
  const bare = await startBare(await responseSizes(await ours.target()));
  servers.push(ours, before, bare);
  for (const work of works) {
    const figures = { ours: [] as number[], before: [] as number[], bare: [] as number[] };
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [name, server] of Object.entries({ ours, before, bare })) {
        if (work === 'flow' && name === 'bare') continue;
        const job = { target: await server.target(), work, connections: 16, warmUpMs: round === 0 ? 2000 : 200, measureMs: 1000 };
        const { cpu, errors } = await generator.measure(job, server.processes);
        if (errors > 0) process.stderr.write(`${name}: ${errors} errors\n`);
        figures[name as keyof typeof figures].push(cpu.reduce((sum, each) => sum + each, 0));
      }
    }
    const ratio = (above: keyof typeof figures, below: keyof typeof figures) =>
      median(figures[above].map((value, index) => value / (figures[below][index] ?? Number.NaN))).toFixed(3);
    const micro = (name: keyof typeof figures) => median(figures[name]).toFixed(1);
    const againstBare = work === 'flow' ? '' : `, bare / ours ${ratio('bare', 'ours')} (before ${ratio('bare', 'before')})`;
    process.stdout.write(
      `${work}: ours ${micro('ours')} µs, before ${micro('before')} µs: ${ratio('ours', 'before')} of before${againstBare}\n`,
    );
  }
} finally {
  generator.stop();
  for (const server of servers) await server.stop();
}
