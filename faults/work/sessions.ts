// People sign in with an identity provider.

import { setTimeout as pause } from 'node:timers/promises';
import type { Person } from '../../test/harness/person.ts';
import { Growing, lostSessions, type Site, type Work } from './work.ts';

export class UpstreamSessions implements Work {
  readonly #site: Site;
  readonly #people: Person[] = [];
  readonly #unchecked = new Growing(this.#people);

  constructor(site: Site) {
    this.#site = site;
  }

  get checks() {
    return { 'sign-ins with an identity provider': this.#people.length };
  }

  async once(): Promise<void> {
    this.#people.push(await this.#site.signIn());
    await pause(50);
  }

  check(all: boolean): Promise<readonly string[]> {
    return lostSessions(this.#unchecked.take(all), 'an identity provider');
  }
}
