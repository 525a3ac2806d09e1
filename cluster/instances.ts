// Three machines with the service, PgBouncer and HAProxy, and the service's address as its users know it.

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../test/harness/command.ts';
import type { TestService } from '../test/harness/service.ts';
import { until } from '../test/harness/until.ts';
import { authorityFile } from './certificates.ts';
import { configuration } from './configuration.ts';
import type { Network, Node } from './network.ts';
import { startProgram } from './program.ts';

export const baseUrl = 'http://localhost:8455';

export class Instances {
  readonly keys = randomBytes(32).toString('base64url');
  readonly #nodes: Node[] = [];
  #requests = 0;

  /** `authority` is the certificate of the cluster's authority. */
  async start(network: Network, folder: string, password: string, authority: string): Promise<void> {
    for (const number of [1, 2, 3]) {
      const node = network.add(`app${number}`, 20 + number);
      const own = join(folder, node.name);
      mkdirSync(own);
      chmodSync(own, 0o755);
      const write = (name: string, text: string) => {
        writeFileSync(join(own, name), text);
        return join(own, name);
      };
      const users = write('userlist.txt', `"latchkey" "${password}"\n`);
      const pgbouncer = write(
        'pgbouncer.ini',
        configuration('pgbouncer.ini', { '/etc/pgbouncer/userlist.txt': users, [authorityFile]: authority }),
      );
      const haproxy = write(
        'haproxy.cfg',
        configuration('haproxy.cfg', {
          'log /dev/log local0': 'log stdout format raw local0',
          [authorityFile]: authority,
        }),
      );
      const log = (name: string) => join(folder, `${node.name}-${name}.log`);
      startProgram(node, ['haproxy', '-db', '-f', haproxy], { user: 'haproxy', log: log('haproxy') });
      startProgram(node, ['pgbouncer', pgbouncer], { user: 'postgres', log: log('pgbouncer') });
      const environment = {
        DATABASE_URL: `postgres://latchkey:${password}@127.0.0.1:6432/latchkey`,
        LATCHKEY_BASE_URL: baseUrl,
        LATCHKEY_HOST: '0.0.0.0',
        LATCHKEY_PORT: '8455',
        LATCHKEY_DATA_DIR: own,
        LATCHKEY_KEYS: this.keys,
      };
      startProgram(node, [join(root, 'latchkey'), 'serve'], {
        // The project may be in a folder that only root can read.
        user: 'root',
        environment,
        log: log('latchkey'),
      });
      this.#nodes.push(node);
    }
    await until(async () => (await this.ready()).every(Boolean), 'every instance is ready', 60);
  }

  get urls(): readonly string[] {
    return this.#nodes.map(({ address }) => `http://${address}:8455`);
  }

  /** Every request goes to the next instance, so that what one of them acknowledged is asked of the others. */
  get service(): TestService {
    const next = () => this.urls[this.#requests++ % this.#nodes.length] as string;
    return {
      get url() {
        return next();
      },
      baseUrl,
    } as TestService;
  }

  async ready(): Promise<boolean[]> {
    return Promise.all(
      this.urls.map(async (url) => {
        try {
          return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(12_000) })).status === 200;
        } catch {
          return false;
        }
      }),
    );
  }

  /** Lines of the logs that say that something is wrong with the service itself, and not with its database. */
  errors(folder: string): string[] {
    return this.#nodes.flatMap(({ name }) => {
      const lines = readFileSync(join(folder, `${name}-latchkey.log`), 'utf8').split('\n');
      return lines.filter(
        (line) => /"level":[56]0/.test(line) && !/the store is (unreachable|still unavailable)/.test(line),
      );
    });
  }
}
