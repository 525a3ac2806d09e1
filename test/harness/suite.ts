// What all tests of a file share: a service, started before the first of them and stopped after the last, and an
// administrator who is signed in to its console. Call these at the top of a file: the hooks that they add apply to that file.

import { after, before } from 'node:test';
import { Person } from './person.ts';
import { startTestService, type TestService, type TestUser } from './service.ts';

/** Can be handed on at once, and read once the hook has run. */
function filledBefore<T extends object>(make: () => Promise<T>): T {
  const filled = {} as T;
  before(async () => {
    Object.assign(filled, await make());
  });
  return filled;
}

/** The service of this file. Hooks that are added later find it running. */
export function serviceOfSuite(...settings: Parameters<typeof startTestService>): TestService {
  const service = filledBefore(() => startTestService(...settings));
  after(() => service.stop());
  return service;
}

export interface ConsoleOfSuite {
  readonly service: TestService;
  readonly administrator: TestUser;
  readonly admin: Person;
  /** For tests that move the clock: `admin` gets a new session, whose proof of identity is fresh. */
  readonly signInAgain: () => Promise<void>;
}

/** The service of this file, with an administrator who signs in before the first test. */
export function consoleOfSuite(...settings: Parameters<typeof startTestService>): ConsoleOfSuite {
  const service = serviceOfSuite(...settings);
  const administrator = filledBefore(() => service.newUser({ admin: true, name: 'Margaret Hamilton' }));
  const admin = new Person(service);
  const signInAgain = async () => {
    admin.cookies.clear();
    await admin.signIn(administrator);
  };
  before(signInAgain);
  return { service, administrator, admin, signInAgain };
}
