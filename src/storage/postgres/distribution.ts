// With Citus, an extension of PostgreSQL, the events are on other servers: they're most of all bytes, nothing is decided by them, and
// each is written once. Everything that says who may do what stays together on the coordinator, so a revocation is one commit there.

import type pg from 'pg';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { type OtherServers, type Spreading, StoreUnusable, type Value } from '../driver.ts';
import type { Connections } from './connections.ts';
import { stateOf, storageError } from './errors.ts';
import { rest, takeTurn } from './migration.ts';

/** In milliseconds. */
const probeEvery = 20;
/** What a worker may take: one that's frozen answers nothing at all. */
const answerWithin = 2000;

export function spreadDatabase(connections: Connections, where: 'out' | 'back'): Promise<Spreading> {
  return connections.withPatience(async (turn) => {
    await takeTurn(turn);
    return connections.withPatience(async (connection, isOwnProcess) => {
      if (!isOwnProcess) {
        throw new StoreUnusable(
          'Tables are moved over a connection to PostgreSQL itself, and DATABASE_URL leads to a pooler.',
        );
      }
      try {
        await connection.query('SET statement_timeout = 0');
        return await move(connections, connection, where);
      } catch (error) {
        throw storageError(error);
      }
    });
  });
}

async function move(connections: Connections, connection: pg.Client, where: 'out' | 'back'): Promise<Spreading> {
  if (!connections.isSpread) {
    if (where === 'back') return { moved: false, servers: 0, longestWait: 0 };
    throw new StoreUnusable(
      'The database has no extension "citus". Install Citus on every server, create the extension in the database of each, and add ' +
        'the workers on the coordinator with citus_add_node.',
    );
  }
  const { isOut, workers } = await layoutOf(connection);
  if (where === 'out' && workers === 0) {
    throw new StoreUnusable('The coordinator has no workers. Add them with citus_add_node.');
  }
  const servers = where === 'out' ? workers : 0;
  if (isOut === (where === 'out')) return { moved: false, servers, longestWait: 0 };
  const sql = isOut ? "SELECT undistribute_table('events')" : "SELECT create_distributed_table('events', 'id')";
  const longestWait = await longestWaitDuring(connections, () => connection.query(sql));
  return { moved: true, servers, longestWait };
}

async function layoutOf(connection: pg.Client) {
  const { rows } = await connection.query<{ is_out: boolean; workers: number }>(
    `SELECT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'events'::regclass) AS is_out,
      (SELECT COUNT(*) FROM pg_dist_node WHERE groupid <> 0 AND noderole = 'primary' AND isactive) AS workers`,
  );
  return { isOut: rows[0]?.is_out === true, workers: rows[0]?.workers ?? 0 };
}

/** Another connection tries to write all the time, which changes nothing. */
function longestWaitDuring(connections: Connections, work: () => Promise<unknown>): Promise<number> {
  return connections.withPatience(async (probe) => {
    await probe.query('SET statement_timeout = 0');
    let isOver = false;
    const working = work().finally(() => {
      isOver = true;
    });
    working.catch(() => {});
    let longest = 0;
    while (!isOver) {
      const started = performance.now();
      await probe.query("DELETE FROM events WHERE id = ''");
      longest = Math.max(longest, performance.now() - started);
      await rest(probeEvery);
    }
    await working;
    return longest;
  });
}

const workers = `SELECT nodename AS host, nodeport AS port, s.setting AS interval FROM pg_dist_node, pg_settings s
  WHERE groupid <> 0 AND noderole = 'primary' AND isactive AND s.name = 'citus.recover_2pc_interval'
    AND EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass('events')) ORDER BY host, port`;
const asked = `SELECT success, result FROM master_run_on_worker(ARRAY[$1]::text[], ARRAY[$2]::int[], ARRAY[
  $$SELECT COUNT(*) FROM pg_prepared_xacts WHERE database = current_database() AND prepared < clock_timestamp() - INTERVAL '5 s'$$], false)`;

export async function findOtherServers(connections: Connections): Promise<OtherServers> {
  try {
    const rows = connections.isSpread ? await connections.askWithin(answerWithin, workers, []) : [];
    const servers = await Promise.all(
      rows.map(async ({ host = null, port = null }) => ({
        name: `${host}:${port}`,
        ...(await stateOfWorker(connections, [host, port])),
      })),
    );
    return { servers, recoveryInterval: rows[0] && Number(rows[0].interval) };
  } catch (error) {
    throw storageError(error);
  }
}

async function stateOfWorker(connections: Connections, place: readonly Value[]) {
  try {
    const [row] = await connections.askWithin(answerWithin, asked, place);
    if (row?.success) return { problem: undefined, undecided: Number(row.result) };
    return { problem: String(row?.result), undecided: 0 };
  } catch (error) {
    const isLate = stateOf(error) === '57014';
    return { problem: isLate ? `no answer within ${answerWithin / 1000} s` : messageOf(error), undecided: 0 };
  }
}
