// What a run has shown, in words.

import type { Violation } from './checker.ts';
import type { Operation } from './operation.ts';
import type { Result } from './run.ts';

const number = (value: number) => value.toLocaleString('en-US');

const listed = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([name, count]) => `${number(count)} ${name}`).join(', ');

/** A row of the table in docs/reliability.md. */
export function rowOf(title: string, { operations, outcomes, grants, faults, violations, seconds }: Result): string[] {
  const of = (outcome: string) => number(outcomes.get(outcome) ?? 0);
  const refused = number((outcomes.get('refused') ?? 0) + (outcomes.get('signed-out') ?? 0));
  return [
    title,
    `${number(operations)}: ${of('done')} done, ${refused} refused, ${of('unchanged')} got 503, ${of('unknown')} got no response`,
    `${number([...faults.values()].reduce((sum, count) => sum + count, 0))}: ${listed(faults)}`,
    number(grants),
    violations.length === 0 ? 'none' : number(violations.length),
    `${seconds.toFixed(0)} s`,
  ];
}

/** The operations that no order explains, from the first of them on; the clock is in milliseconds. */
export function described({ subject, operations }: Violation): string {
  const from = Math.min(...operations.map(({ start }) => start));
  const about = subject.grant === undefined ? `session ${subject.session}` : `grant ${subject.grant}`;
  const line = (operation: Operation) => {
    const { kind, start, end, outcome, response, instance } = operation;
    const object = ['session', 'grant', 'token'].flatMap((name) =>
      name in operation ? [`${name} ${operation[name as keyof Operation]}`] : [],
    );
    const time = `${(start - from).toFixed(1)}–${outcome === 'unknown' ? '' : (end - from).toFixed(1)}`;
    return `  ${time.padEnd(20)} ${kind} (${object.join(', ')}): ${outcome}, was ${response} at ${instance}`;
  };
  return [`No order explains ${about}:`, ...operations.map(line)].join('\n');
}
