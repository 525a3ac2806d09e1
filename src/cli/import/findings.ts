// What an import has found: problems with the place of each, who is imported and who isn't, and what is left out. All
// of it has a limit, because a file can have a million of each.

import type { ImportOutcome, SecondFactorOutcome } from '../../operations/users/import-users.ts';
import { CommandFailed } from '../command.ts';
import { print, printError, printJson, styled } from '../terminal/output.ts';
import { printTable } from '../terminal/table.ts';
import type { Place } from './records.ts';
import type { Duplicate } from './scratch.ts';

export const shownProblems = 50;
const shownNames = 200;

/** How the number of people is called in JSON. */
const members = { Imported: 'imported', 'Would import': 'would_import', 'Could import': 'could_import' };

export class Findings {
  imported = 0;
  present = 0;
  deleted = 0;
  readonly skipped = new Map<string, number>();
  readonly left = new Map<string, number>();
  readonly problems: string[] = [];
  problemCount = 0;
  /** Of people who are imported, and of those who can't be because of it. */
  readonly secondFactors = { taken_over: 0, not_taken_over: 0 };

  problem(place: Place, text: string): void {
    this.#report(`${placeText(place)}: ${text}`);
  }

  count(outcome: ImportOutcome | undefined, place: Place): void {
    if (outcome?.kind === 'imported') {
      this.imported++;
      this.leave(outcome.left);
    }
    if (outcome?.kind === 'present') this.present++;
    if (outcome?.kind === 'deleted') this.deleted++;
    if (outcome?.kind === 'refused') for (const problem of outcome.problems) this.problem(place, problem);
  }

  countFactor(outcome: SecondFactorOutcome | undefined): void {
    if (outcome !== undefined) this.secondFactors[outcome]++;
  }

  duplicates(groups: readonly Duplicate[], surplus: number): void {
    for (const { kind, first, last, count } of groups) {
      const others = count > 2 ? ` and ${count - 2} more` : '';
      this.#report(`${placeText(first)} and ${placeText(last)}${others} have the same ${kind}`);
    }
    this.problemCount += Math.max(0, surplus - groups.length);
  }

  #report(text: string): void {
    this.problemCount++;
    if (this.problems.length < shownProblems) this.problems.push(text);
  }

  skip(what: string): void {
    add(this.skipped, what);
  }

  leave(names: readonly string[]): void {
    for (const name of new Set(names)) add(this.left, name);
  }

  throwProblems(consequence: string): never {
    throw new CommandFailed(`${consequence}\n${this.#problemLines()}`);
  }

  #problemLines(): string {
    const more = this.problemCount - this.problems.length;
    const lines = [...this.problems, ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : [])];
    return lines.map((line) => `  ${line}`).join('\n');
  }

  /** What was done, would be, or could be if there were no problems. */
  print(verb: keyof typeof members, json: boolean): void {
    if (json) {
      printJson({
        [members[verb]]: this.imported,
        already_imported: this.present,
        deleted_before: this.deleted,
        skipped: Object.fromEntries(this.skipped),
        not_taken_over: Object.fromEntries(this.left),
        second_factors: this.secondFactors,
        problems: this.problems,
      });
      return;
    }
    print(styled('bold', `${verb} ${people(this.imported)}.`));
    if (this.present > 0) print(`${people(this.present)} from this source had been imported before.`);
    if (this.deleted > 0) print(`Deleted here before: ${this.deleted.toLocaleString('en')}.`);
    for (const [what, count] of this.skipped) print(`Skipped ${count.toLocaleString('en')} ${what}.`);
    const { taken_over: taken, not_taken_over: lost } = this.secondFactors;
    if (taken + lost > 0) {
      print(`Second factors: ${taken.toLocaleString('en')} taken over, ${lost.toLocaleString('en')} not.`);
    }
    if (this.left.size > 0) {
      print('\nNot imported:\n');
      const rows = [...this.left].toSorted(([, a], [, b]) => b - a);
      printTable([['WHAT', 'PEOPLE'], ...rows.map(([name, count]) => [name, count.toLocaleString('en')])]);
    }
    if (this.problemCount > 0 && verb !== 'Could import') {
      const problems = this.problemCount === 1 ? '1 problem' : `${this.problemCount.toLocaleString('en')} problems`;
      printError(`\nLeft out, because of ${problems}:\n${this.#problemLines()}`);
    }
  }
}

function people(count: number): string {
  return count === 1 ? '1 person' : `${count.toLocaleString('en')} people`;
}

function placeText({ file, line, record }: Place): string {
  return `${file}, line ${line} (record ${record})`;
}

/** A hostile file could have another name in every record. */
function add(counts: Map<string, number>, name: string): void {
  const key = counts.has(name) || counts.size < shownNames ? name.slice(0, 100) : 'other things';
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
