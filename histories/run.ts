// Has people use a service while it's being broken, and lets the checker judge what was recorded of each.

import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../faults/random.ts';
import { Tally } from '../faults/tally.ts';
import { subjectsOf, type Violation, violationsIn } from './checker.ts';
import type { Operation } from './operation.ts';
import { Story } from './story.ts';
import { allReady, type System, someSeconds } from './system.ts';

/** People who are active at the same time, unless the plan says otherwise. */
const usuallyActive = 8;

export interface Plan {
  readonly seed: number;
  /** It ends when there have been as many of both, or after the time. */
  readonly operations: number;
  readonly faults: number;
  readonly seconds: number;
  /** How many people are active at the same time. */
  readonly active?: number;
  /** Where requests go instead of to the instances themselves. */
  readonly urls?: readonly string[];
  /** It also ends with the first violation. */
  readonly untilNoticed?: boolean;
  readonly say: (progress: string) => void;
  /** Gets every person's operations. */
  readonly keep?: (operations: readonly Operation[]) => void;
}

export interface Result {
  readonly operations: number;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly grants: number;
  readonly faults: ReadonlyMap<string, number>;
  readonly violations: readonly Violation[];
  /** Responses that no operation can have. */
  readonly unexpected: readonly string[];
  readonly seconds: number;
}

/** So many people are enough for so many operations, even if each of them gets few responses. */
export function peopleFor(operations: number): number {
  return usuallyActive + Math.ceil(operations / 60);
}

export async function run(system: System, plan: Plan): Promise<Result> {
  const { seed, say } = plan;
  const { client, apiKey, users } = system.population;
  const urls = plan.urls ?? system.instances.map(({ url }) => url);
  const baseUrl = system.instances[0]?.environment.LATCHKEY_BASE_URL ?? '';
  const target = { urls, baseUrl, client, apiKey };
  const unexpected = new Tally();
  const outcomes = new Map<string, number>();
  const faults = new Map<string, number>();
  const violations: Violation[] = [];
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  let grants = 0;
  let operations = 0;
  let injected = 0;
  let stories = 0;
  let isBroken = false;

  const isOver = () =>
    isBroken ||
    (plan.untilNoticed === true && violations.length > 0) ||
    seconds() > plan.seconds ||
    users.length === 0 ||
    (operations >= plan.operations && injected >= plan.faults);

  const judge = (recorded: readonly Operation[]) => {
    // Nothing was asked of an instance that wasn't there.
    const sent = recorded.filter(({ response }) => response !== 'ECONNREFUSED');
    operations += sent.length;
    for (const { outcome } of sent) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    grants += subjectsOf(recorded).filter((subject) => subject.grant !== undefined).length;
    violations.push(...violationsIn(recorded));
    plan.keep?.(recorded);
  };

  const endings: Promise<void>[] = [];
  const stage = async () => {
    for (let user = users.pop(); user !== undefined; user = isOver() ? undefined : users.pop()) {
      const story = new Story(user, ++stories, seed, target, unexpected);
      await story.act(isOver);
      // Some come back late, while others are active.
      endings.push(story.lookAgain(isOver()).then(() => judge(story.operations)));
      await Promise.race([endings.at(-1), pause(1000)]);
    }
  };

  const breakThings = async () => {
    const random = new Random(seed);
    const names = Object.keys(system.faults);
    while (!isOver() && injected < plan.faults) {
      await someSeconds(random, 0.5, 2.5);
      // Spread over the requests, because there are far more of them between faults than during one.
      while (!isOver() && operations < (plan.operations * injected) / plan.faults) await pause(100);
      if (isOver()) return;
      // Every kind once, in an order that changes, before any comes again.
      if (injected % names.length === 0) names.sort(() => random.next() - 0.5);
      const name = names[injected % names.length] as string;
      await system.faults[name]?.(random);
      await allReady(system.instances);
      injected++;
      faults.set(name, (faults.get(name) ?? 0) + 1);
      say(
        `${name}; ${operations} operations, ${injected} faults, ${violations.length} violations, ${seconds().toFixed(0)} s`,
      );
    }
  };

  try {
    await Promise.all([...Array.from({ length: plan.active ?? usuallyActive }, stage), breakThings()]);
  } catch (error) {
    isBroken = true;
    throw error;
  }
  await Promise.all(endings);
  return { operations, outcomes, grants, faults, violations, unexpected: unexpected.lines(), seconds: seconds() };
}
