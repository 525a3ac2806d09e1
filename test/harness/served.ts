// Latchkey as a child process on a store of its own, which can be killed and started again.

import type { ChildProcess } from 'node:child_process';
import { composeServices } from '../../src/cli/compose.ts';
import { createClient } from '../../src/operations/clients/clients.ts';
import { createUser } from '../../src/operations/users/users.ts';
import { readConfig } from '../../src/platform/config.ts';
import { outputMatching, startCommand } from './command.ts';
import { freePort, requester, type TestClient, type TestService, type TestUser } from './service.ts';

export class Served {
  readonly url: string;
  readonly environment: Record<string, string>;
  child: ChildProcess | undefined;

  private constructor(url: string, environment: Record<string, string>) {
    this.url = url;
    this.environment = environment;
  }

  /** At least a LATCHKEY_DATA_DIR is needed; a DATABASE_URL puts it on PostgreSQL. */
  static async at(environment: Record<string, string>): Promise<Served> {
    const port = String(await freePort());
    const url = `http://localhost:${port}`;
    return new Served(url, { LATCHKEY_BASE_URL: url, LATCHKEY_PORT: port, ...environment });
  }

  /** For the parts of the harness that send requests and need no more than an address. */
  get service(): TestService {
    return { url: this.url } as TestService;
  }

  async start(environment = this.environment): Promise<ChildProcess> {
    const child = startCommand(['serve'], environment);
    this.child = child;
    // It must not outlive a run that is interrupted.
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    await outputMatching(child, /Latchkey is running at/);
    return child;
  }

  /** Resolves once the process is gone. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }
}

/** Puts an application and so many people into the store of a service that doesn't run yet. */
export async function populate(
  environment: Record<string, string>,
  people = 1,
  { passwordMemory }: { passwordMemory?: number | undefined } = { passwordMemory: 512 },
): Promise<{ client: TestClient; users: readonly TestUser[] }> {
  const { services, close } = await composeServices(readConfig(environment), { passwordMemory });
  try {
    const redirectUri = 'http://localhost:9999/callback';
    const made = await createClient(services, { name: 'App', redirectUris: [redirectUri] }, requester);
    if (made.kind === 'refused') throw new Error(made.problems[0].says);
    const users: TestUser[] = [];
    for (let number = 1; number <= people; number++) {
      const person = { email: `ada${number}@example.test`, password: 'correct horse battery', name: 'Ada' };
      const known = await createUser(services, { ...person, emailVerified: true, admin: false }, requester);
      if (known.kind === 'refused') throw new Error(known.problems[0].says);
      users.push({ ...person, id: known.user.id, record: known.user });
    }
    return { client: { id: made.client.id, secret: made.secret ?? '', redirectUri, record: made.client }, users };
  } finally {
    await close();
  }
}
