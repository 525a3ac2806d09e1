// A service to send hostile requests to, with people, applications and keys that can be lost on the way, and a look at
// what it logs meanwhile.

import { composeServices } from '../src/cli/compose.ts';
import { createApiKey } from '../src/operations/api-keys/api-keys.ts';
import { createClient } from '../src/operations/clients/clients.ts';
import { createUser } from '../src/operations/users/users.ts';
import { readConfig } from '../src/platform/config.ts';
import { Person } from '../test/harness/person.ts';
import { authorizePath, exchangeParameters, newVerifier, postForm } from '../test/harness/relying-party.ts';
import { Served } from '../test/harness/served.ts';
import { requester, type TestClient, type TestUser } from '../test/harness/service.ts';
import { stackTracesIn } from './stack-traces.ts';

/** Somebody who is signed in, and what their browser and their application hold. */
export interface SignedInPerson {
  readonly user: TestUser;
  readonly person: Person;
  readonly csrfToken: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Everything that requests can be about. */
export interface Scene {
  readonly client: TestClient;
  readonly member: SignedInPerson;
  readonly other: SignedInPerson;
  readonly admin: SignedInPerson;
  readonly apiKey: string;
}

export class FuzzedService {
  readonly served: Served;
  #log = '';
  #people = 0;

  private constructor(served: Served) {
    this.served = served;
  }

  static async start(environment: Record<string, string>): Promise<FuzzedService> {
    // Each request comes from another address, or what is sent would soon be refused as too much.
    const settings = { LATCHKEY_TRUST_PROXY: '127.0.0.1', LATCHKEY_SIGN_UP: 'open', ...environment };
    const service = new FuzzedService(await Served.at(settings));
    const child = await service.served.start();
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        service.#log += chunk;
      });
    }
    return service;
  }

  get port(): number {
    return Number(new URL(this.served.url).port);
  }

  async stop(): Promise<void> {
    await this.served.end('SIGTERM');
  }

  /** What the log says since the last time that must not be in one: faults, and stack traces. Or that there is no service. */
  problems(): string[] {
    const log = this.#log;
    this.#log = '';
    const faults = log.split('\n').filter((line) => /"level":[56]0/.test(line) || stackTracesIn(line) > 0);
    const { child } = this.served;
    const ended = child?.exitCode ?? child?.signalCode ?? undefined;
    return [
      ...new Set(
        faults.map((line) => `in the log: ${line.replace(/"(time|pid)":\d+,|"reqId":"[^"]*",/g, '').slice(0, 600)}`),
      ),
      ...(ended === undefined ? [] : [`the service has ended: ${ended}`]),
    ];
  }

  /** New people with new sessions, and an application that they have approved. */
  async newScene(): Promise<Scene> {
    const config = readConfig(this.served.environment);
    const { services, close } = await composeServices(config, { passwordMemory: 512 });
    try {
      const redirectUri = 'http://localhost:9999/callback';
      const wanted = { name: 'App', isPublic: false, redirectUris: [redirectUri], scope: undefined, logo: undefined };
      const made = await createClient(services, wanted, requester);
      const key = await createApiKey(services, { name: 'Key', permission: 'write', days: undefined }, requester);
      if (made.kind === 'refused' || key.kind === 'refused') throw new Error('the scene was refused');
      const client = { id: made.client.id, secret: made.secret ?? '', redirectUri, record: made.client };
      const newUser = async (admin: boolean): Promise<TestUser> => {
        const person = { email: `fuzz${++this.#people}@example.test`, password: 'correct horse battery', name: 'Ada' };
        const known = await createUser(services, { ...person, emailVerified: true, admin }, requester);
        if (known.kind === 'refused') throw new Error(known.problems[0].says);
        return { ...person, id: known.user.id, record: known.user };
      };
      const signedIn = async (admin: boolean) => this.#signIn(client, await newUser(admin));
      return {
        client,
        apiKey: key.secret,
        member: await signedIn(false),
        other: await signedIn(false),
        admin: await signedIn(true),
      };
    } finally {
      await close();
    }
  }

  async #signIn(client: TestClient, user: TestUser): Promise<SignedInPerson> {
    const { service } = this.served;
    const person = new Person(service);
    const verifier = newVerifier();
    const code = (await person.authorize(authorizePath(client, verifier), user)).searchParams.get('code') ?? '';
    const { body } = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
    const { data } = (await (await person.request('/api/me')).json()) as { data: { csrf_token: string } };
    return {
      user,
      person,
      csrfToken: data.csrf_token,
      accessToken: body.access_token,
      refreshToken: body.refresh_token,
    };
  }
}

export const cookieOf = ({ person }: SignedInPerson) => [...person.cookies].map((pair) => pair.join('=')).join('; ');
