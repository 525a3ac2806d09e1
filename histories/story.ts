// What one person and everyone who has to do with them do at random, several at a time, so that what they do to a grant
// overlaps. In the end, each grant is asked for once more: what was forgotten would go unnoticed otherwise.

import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../faults/random.ts';
import type { Tally } from '../faults/tally.ts';
import { lifetimes } from '../src/protocol/oauth/grant.ts';
import type { TestUser } from '../test/harness/service.ts';
import type { Operation } from './operation.ts';
import { type KnownGrant, PersonAtWork } from './person-at-work.ts';
import type { Target } from './recorder.ts';

const actors = 3;
const operationsOfActor = 50;
/** Of each person's grants, those that are used. The others are as they were left, until the end. */
const grantsInUse = 4;
/** How often each is chosen. */
const choices = {
  userinfo: 35,
  refresh: 15,
  exchange: 22,
  authorize: 19,
  revoke: 3,
  revokeToken: 3,
  removeAccess: 1,
  signOut: 1,
  disable: 1,
} as const;
type Choice = keyof typeof choices;
const drawn = Object.entries(choices).flatMap(([choice, times]) => Array<Choice>(times).fill(choice as Choice));

/** So many in a hundred come back only when a replay of their codes isn't taken for a retry any more. */
const lateReturns = 10;
/** Milliseconds. */
const pauseAfterFailure = 50;
const patience = 60_000;

export class Story {
  readonly #seed: number;
  readonly #person: PersonAtWork;
  readonly #unexpected: Tally;
  /** Whether an administrator means to disable the person, or somebody already signs in. */
  #isDisabled = false;
  #signingIn: Promise<unknown> | undefined;

  constructor(user: TestUser, number: number, seed: number, target: Target, unexpected: Tally) {
    this.#seed = seed + number * 7919;
    this.#unexpected = unexpected;
    const address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
    this.#person = new PersonAtWork(user, address, target, new Random(this.#seed), unexpected);
  }

  get operations(): readonly Operation[] {
    return this.#person.operations;
  }

  /** Ends early when it's told to, but never without the last look. */
  async act(ended: () => boolean): Promise<void> {
    const actor = async (number: number) => {
      const random = new Random(this.#seed + number);
      for (let count = 0; count < operationsOfActor && !ended(); count++) await this.#act(random);
    };
    await Promise.all(Array.from({ length: actors }, (_, index) => actor(1 + index)));
  }

  /** `ended` when there's no time to come back late. */
  async lookAgain(ended: boolean): Promise<void> {
    const late = !ended && new Random(this.#seed).below(100) < lateReturns;
    if (late) await pause(lifetimes.replayGrace + 2000);
    const { grants, everySession } = this.#person;
    for (const session of everySession) await this.#patiently(() => this.#person.authorizeSilently(session));
    for (const grant of grants) {
      const looks = [
        ...(late ? [() => this.#person.exchange(grant)] : []),
        ...grant.accessTokens.slice(-1).map((token) => () => this.#person.userinfo(grant, token)),
        ...(grant.refreshToken === undefined ? [] : [() => this.#person.refresh(grant)]),
        () => this.#person.exchange(grant),
      ];
      for (const look of looks) await this.#patiently(look);
    }
  }

  /** Until there's a response. */
  async #patiently(look: () => Promise<unknown>): Promise<void> {
    const deadline = performance.now() + patience;
    for (;;) {
      await look();
      if (!(await this.#restAfterFailure())) return;
      if (performance.now() > deadline) return this.#unexpected.broken('no response within a minute', () => '');
    }
  }

  async #act(random: Random): Promise<void> {
    const person = this.#person;
    const grant = this.#someGrant(random);
    const token = grant && grant.accessTokens.length > 0 ? random.pick(grant.accessTokens) : undefined;
    const session = person.sessions.at(-1);
    const choice = random.pick(drawn);
    if (choice === 'disable') await this.#disable(random);
    else if (session === undefined) await this.#signIn(random);
    else if (grant === undefined || choice === 'authorize') await person.authorize(session);
    else if (choice === 'signOut') await person.signOut(session);
    else if (choice === 'removeAccess') await person.removeAccess(session);
    else if (token === undefined || choice === 'exchange') await person.exchange(grant);
    else if (choice === 'userinfo') await person.userinfo(grant, token);
    else if (choice === 'revokeToken') await person.revokeToken(grant, token);
    else if (choice === 'revoke') await person.revoke(grant);
    else await person.refresh(grant);
    await this.#restAfterFailure();
  }

  #someGrant(random: Random): KnownGrant | undefined {
    const recent = this.#person.grants.slice(-grantsInUse);
    return recent.length === 0 ? undefined : random.pick(recent);
  }

  /** For some time; the others notice. */
  async #disable(random: Random): Promise<void> {
    if (this.#isDisabled) return;
    this.#isDisabled = true;
    await this.#person.disable();
    for (let count = random.below(4); count > 0; count--) await this.#act(random);
    while (!(await this.#person.enable())) await this.#restAfterFailure();
    this.#isDisabled = false;
  }

  async #signIn(random: Random): Promise<void> {
    // Somebody who is disabled tries now and then.
    if (this.#isDisabled && !random.chance(0.05)) return void (await pause(5));
    this.#signingIn ??= this.#person.signIn().finally(() => {
      this.#signingIn = undefined;
    });
    await this.#signingIn;
  }

  /** Whether the last request has to be repeated. Who is told to come back later, or told nothing, waits. */
  async #restAfterFailure(): Promise<boolean> {
    const outcome = this.operations.at(-1)?.outcome;
    if (outcome !== 'unknown' && outcome !== 'unchanged') return false;
    await pause(pauseAfterFailure);
    return true;
  }
}
