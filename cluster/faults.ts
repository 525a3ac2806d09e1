// What happens to the primary, and how it's brought back.

import { setTimeout as pause } from 'node:timers/promises';
import type { Databases } from './databases.ts';
import { type Network, signal } from './network.ts';

export interface Fault {
  /** For `--only`. */
  readonly name: string;
  readonly title: string;
  /** Resolves once it has happened, with what brings the old primary back. */
  readonly strike: (databases: Databases, network: Network, logs: string) => Promise<() => void>;
}

export const faults: readonly Fault[] = [
  {
    name: 'switchover',
    title: 'switched over (`patronictl switchover`)',
    strike: async (databases) => {
      await databases.switchOver();
      return () => {};
    },
  },
  {
    name: 'kill',
    title: 'killed (`kill -9` of Patroni and PostgreSQL)',
    strike: async (databases, _network, logs) => {
      const primary = await databases.primary();
      databases.signal(primary, 'SIGKILL');
      return () => databases.startAgain(primary, logs);
    },
  },
  {
    name: 'freeze',
    title: 'frozen (`SIGSTOP` of Patroni and PostgreSQL)',
    strike: async (databases) => {
      const primary = await databases.primary();
      databases.signal(primary, 'SIGSTOP');
      // It wakes up as the primary that it was, until Patroni looks around.
      return () => databases.signal(primary, 'SIGCONT');
    },
  },
  {
    name: 'partition',
    title: 'partitioned (no packet in or out)',
    strike: async (databases, network) => {
      const { node } = await databases.primary();
      network.cut(node);
      return () => network.join(node);
    },
  },
  {
    name: 'lag',
    title: 'killed when its standbys were a second behind',
    strike: async (databases, _network, logs) => {
      const primary = await databases.primary();
      const receivers = await databases.receivers();
      for (const id of receivers) signal(id, 'SIGSTOP');
      await pause(1000);
      databases.signal(primary, 'SIGKILL');
      for (const id of receivers) signal(id, 'SIGCONT');
      return () => databases.startAgain(primary, logs);
    },
  },
];
