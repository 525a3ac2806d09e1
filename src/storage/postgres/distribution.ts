// With Citus, an extension of PostgreSQL, the events are on other servers: they're most of all bytes, nothing is decided by them, and
// each is written once. Everything that says who may do what stays together on the coordinator, so a revocation is one commit there.

import type pg from 'pg';
import { type OtherServers, type Spreading, StoreUnusable } from '../driver.ts';
import type { Connections } from './connections.ts';
import { storageError } from './errors.ts';
import { rest, takeTurn } from './migration.ts';

/** In milliseconds. */
const probeEvery = 20;

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

const undecided = `SELECT COUNT(*) FROM pg_prepared_xacts
  WHERE database = current_database() AND prepared < clock_timestamp() - INTERVAL '5 s'`;
const asked = `SELECT w.nodename || ':' || w.nodeport AS name, w.success, w.result,
    (SELECT CAST(setting AS BIGINT) FROM pg_settings WHERE name = 'citus.recover_2pc_interval') AS interval
  FROM run_command_on_workers($$${undecided}$$) w
  WHERE EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass('events')) ORDER BY 1`;

export async function findOtherServers(connections: Connections): Promise<OtherServers> {
  try {
    const rows = connections.isSpread ? await connections.askOnce(asked) : [];
    const servers = rows.map(({ name, success, result }) => {
      const text = String(result);
      return success
        ? { name: String(name), problem: undefined, undecided: Number(text) }
        : { name: String(name), problem: text, undecided: 0 };
    });
    return { servers, recoveryInterval: rows[0] && Number(rows[0].interval) };
  } catch (error) {
    throw storageError(error);
  }
}
