// A directory pushes people and a group by SCIM, and repeats each push until it's acknowledged, as directories do. Afterwards there
// is everything that was acknowledged, once, and a push of several changes took effect as a whole or not at all.

import { setTimeout as pause } from 'node:timers/promises';
import { urns } from '../../src/protocol/scim/urns.ts';
import type { TestService } from '../../test/harness/service.ts';
import { answered, type Work } from './work.ts';

interface Pushed {
  readonly userName: string;
  id: string | undefined;
  active: boolean;
}

export class Pushes implements Work {
  readonly #service: TestService;
  readonly #token: string;
  readonly #people: Pushed[] = [];
  #group: string | undefined;
  /** Whose membership was acknowledged; by the last push that wasn't, these would be the members. */
  #members: readonly string[] = [];
  #wanted: readonly string[] | undefined;
  #steps: (() => Promise<void>)[] = [];
  /** Whether the first of the steps was sent before, without a response. */
  #isRepeated = false;
  #pushes = 0;
  #verified = 0;

  constructor(service: TestService, token: string) {
    this.#service = service;
    this.#token = token;
  }

  get checks() {
    return { 'SCIM pushes': this.#pushes, 'people of a directory': this.#verified };
  }

  async once(): Promise<void> {
    if (this.#steps.length === 0) this.#steps = this.#plan();
    await this.#steps[0]?.().catch((error) => {
      this.#isRepeated = true;
      throw error;
    });
    this.#isRepeated = false;
    this.#steps.shift();
    this.#pushes++;
    // A token may be used 50 times a second.
    await pause(20);
  }

  /** Two people join the group as those before them leave, who are disabled. */
  #plan(): (() => Promise<void>)[] {
    const leaving = this.#people.slice(-2);
    const joining = [1, 2].map((number) => {
      const userName = `pushed${this.#people.length + number}@people.example`;
      return { userName, id: undefined, active: true } satisfies Pushed;
    });
    this.#people.push(...joining);
    return [
      ...joining.map((person) => () => this.#create(person)),
      () => this.#move(joining),
      ...leaving.map((person) => () => this.#disable(person)),
    ];
  }

  async #create(person: Pushed): Promise<void> {
    const { userName } = person;
    const body = { schemas: [urns.user], userName, externalId: userName, displayName: 'Ada' };
    const { status, body: made } = await this.#send('POST', '/Users', body, [201, 409]);
    if (status === 201) person.id = made.id;
    else if (this.#isRepeated) [person.id] = await this.#find(userName);
    else throw new Error(`${userName} was there before`);
  }

  async #move(joining: readonly Pushed[]): Promise<void> {
    const ids = joining.map(({ id }) => id ?? '');
    const members = ids.map((value) => ({ value }));
    if (this.#group === undefined) {
      const body = { schemas: [urns.group], displayName: 'Pushed', members };
      const { status, body: made } = await this.#send('POST', '/Groups', body, [201, 409]);
      if (status === 409 && !this.#isRepeated) throw new Error('the group was there before');
      const found = status === 201 ? made : (await this.#send('GET', '/Groups', undefined, [200])).body.Resources[0];
      this.#group = found.id;
    } else {
      this.#wanted = ids;
      const Operations = [
        { op: 'add', path: 'members', value: members },
        ...this.#members.map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` })),
      ];
      await this.#send('PATCH', `/Groups/${this.#group}`, { schemas: [urns.patch], Operations }, [204]);
      this.#wanted = undefined;
    }
    this.#members = ids;
  }

  async #disable(person: Pushed): Promise<void> {
    const Operations = [{ op: 'replace', path: 'active', value: false }];
    await this.#send('PATCH', `/Users/${person.id}`, { schemas: [urns.patch], Operations }, [204]);
    person.active = false;
  }

  async #find(userName: string): Promise<string[]> {
    const filter = encodeURIComponent(`userName eq "${userName}"`);
    const { body } = await this.#send('GET', `/Users?filter=${filter}`, undefined, [200]);
    return body.Resources.map(({ id }: { readonly id: string }) => id);
  }

  async #send(method: string, path: string, body: object | undefined, expected: readonly number[]) {
    const sending = fetch(`${this.#service.url}/scim/v2${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/scim+json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const response = await answered(sending);
    const text = await response.text();
    if (!expected.includes(response.status)) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** All at once: what the directory sees in its list is what it has pushed, apart from the step that is under way. */
  async check(): Promise<readonly string[]> {
    const broken: string[] = [];
    const seen = new Map<string, { readonly id: string; readonly active: boolean }[]>();
    for (let index = 1; index <= this.#people.length; index += 200) {
      const { body } = await this.#send('GET', `/Users?startIndex=${index}&count=200`, undefined, [200]);
      for (const person of body.Resources) seen.set(person.userName, [...(seen.get(person.userName) ?? []), person]);
    }
    for (const { userName, id, active } of this.#people) {
      const found = seen.get(userName) ?? [];
      if (found.length > 1) broken.push(`${userName} is there ${found.length} times`);
      if (id === undefined) continue;
      if (found[0]?.id !== id) broken.push(`${userName} of a directory is gone`);
      // Whoever is next to be disabled may be so already.
      else if (found[0].active && !active) broken.push(`${userName} is active again`);
      this.#verified++;
    }
    if (this.#group !== undefined) broken.push(...(await this.#checkMembers(this.#group)));
    return broken;
  }

  async #checkMembers(group: string): Promise<string[]> {
    const { body } = await this.#send('GET', `/Groups/${group}?attributes=members`, undefined, [200]);
    const shown = (ids: readonly string[]) => [...ids].sort().join();
    const members = shown((body.members ?? []).map(({ value }: { readonly value: string }) => value));
    const possible = [this.#members, ...(this.#wanted ? [this.#wanted] : [])].map(shown);
    return possible.includes(members) ? [] : [`the group has ${members} instead of ${possible.join(' or ')}`];
  }
}
