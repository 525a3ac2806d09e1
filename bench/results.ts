// The figures that a version is judged by, and how they're written down: bench/results.json, and the tables that go to a terminal,
// to docs/performance.md and to bench/goals.md.

import { short, table } from './table.ts';
import type { Work } from './work.ts';

export interface Row {
  readonly name: string;
  readonly unit: 'ratio' | 'ms' | 'MB';
  /** Null if it takes the version before to tell. */
  readonly now: number | null;
  readonly before: number | null;
  /** The ratio of identical code, where there is one: if it's off, there's no figure. */
  readonly control?: number | null;
  readonly must: number;
  readonly better: 'higher' | 'lower';
}

export const workTitles: Readonly<Record<Work, string>> = {
  userinfo: 'userinfo',
  refresh: 'refresh (access and ID token)',
  flow: 'authorize, exchange, userinfo',
  check: 'check of the gate',
  authorize: 'authorize',
  exchange: 'exchange',
  first: "userinfo, a token's first use",
};

/** What a request costs. */
export interface ServerCost {
  readonly work: Work;
  readonly server: string;
  /** Of all threads of the service, and of its database. */
  readonly cpuMicroseconds: number;
  readonly databaseMicroseconds: number | null;
  /** Times what a bare server takes; null for work that a bare server can't do. */
  readonly ofBare: number | null;
  /** How many times what one process takes another one does; null if there was only one. */
  readonly control?: number | null;
  readonly errors: number;
}

export interface Results {
  readonly date: string;
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string };
  readonly quick: boolean;
  readonly rounds: number;
  readonly rows: readonly Row[];
  readonly servers: readonly ServerCost[];
}

export function rowsTable({ rows }: Pick<Results, 'rows'>): string {
  return table(
    ['', 'now', 'before', 'control', 'must', 'met'],
    rows.map((row) => [
      row.name,
      written(row, row.now),
      written(row, row.before),
      row.control == null ? '' : row.control.toFixed(2),
      written(row, row.must),
      verdict(row),
    ]),
  );
}

/** What it costs now, without the version before. */
export function peersTable({ servers }: Pick<Results, 'servers'>): string {
  return table(
    ['', 'server', 'CPU µs', 'of the database µs', '× bare'],
    servers
      .filter(({ server }) => !server.includes('before'))
      .map((each) => [
        workTitles[each.work],
        each.server === 'node:http' ? 'bare' : each.server,
        short(each.cpuMicroseconds),
        each.databaseMicroseconds === null ? '' : short(each.databaseMicroseconds),
        each.ofBare === null ? '' : each.ofBare.toFixed(1),
      ]),
  );
}

export function footprintTable({ rows }: Pick<Results, 'rows'>): string {
  const absolute = rows.filter(({ unit, now }) => unit !== 'ratio' && now !== null);
  return table(
    ['', 'now'],
    absolute.map((row) => [row.name, written(row, row.now)]),
  );
}

export function serversTable({ servers }: Pick<Results, 'servers'>): string {
  return table(
    ['work', 'server', 'CPU µs', 'database µs', '× bare', 'control', 'errors'],
    servers.map((each) => [
      workTitles[each.work],
      each.server,
      short(each.cpuMicroseconds),
      each.databaseMicroseconds === null ? '' : short(each.databaseMicroseconds),
      each.ofBare === null ? '' : each.ofBare.toFixed(2),
      each.control == null ? '' : each.control.toFixed(2),
      each.errors,
    ]),
  );
}

function written({ unit }: Row, value: number | null): string {
  if (value === null) return '';
  return unit === 'ratio' ? value.toFixed(2) : `${Math.round(value)} ${unit}`;
}

function verdict({ now, must, better, control }: Row): string {
  if (now === null) return control == null ? '' : 'control is off';
  return (better === 'higher' ? now >= must : now <= must) ? 'yes' : 'no';
}
