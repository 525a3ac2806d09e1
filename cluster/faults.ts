// What happens to the primary, and how it's brought back.

import { setTimeout as pause } from 'node:timers/promises';
import type { Databases } from './databases.ts';
import type { Network } from './network.ts';

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
    title: 'lost as a machine, its standbys cut off from it for a second before',
    strike: async (databases, network, logs) => {
      const primary = await databases.primary();
      const standbys = databases.all.filter((each) => each !== primary);
      for (const { node } of standbys) network.cut(node);
      await pause(1000);
      // First its network: what its kernel still holds would otherwise reach the standbys.
      network.cut(primary.node);
      databases.signal(primary, 'SIGKILL');
      for (const { node } of standbys) network.join(node);
      return () => {
        network.join(primary.node);
        databases.startAgain(primary, logs);
      };
    },
  },
];
