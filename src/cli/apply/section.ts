// A section of the file for `latchkey apply`: each is compared with what there is, applied, and written down.

import type { Description, SectionName } from '../../operations/apply/apply-file.ts';
import type { AccessPlan } from '../../operations/clients/apply-access.ts';
import type { Services } from '../../operations/services.ts';
import type { ImageWriter } from '../../protocol/reading/logo.ts';
import type { DiffLine } from './diff.ts';

export interface Section {
  readonly name: SectionName;
  /** Compares. Nothing is changed. */
  plan(context: PlanContext): Promise<SectionPlan>;
  /** What there is, as the file has it. */
  export(services: Services, writeImage: ImageWriter): Promise<unknown>;
}

export interface PlanContext {
  readonly services: Services;
  readonly described: Description;
  readonly prune: boolean;
  /** Groups, and who is on which application's list: these two know each other. */
  readonly access: AccessPlan;
}

export interface SectionPlan {
  readonly diff: readonly DiffLine[];
  readonly counts: Counts;
  /** What isn't in the file and stays, by name. */
  readonly kept: readonly string[];
  /** Changes everything but what is deleted: something that is applied later may still need it. */
  apply(report: Report): Promise<void>;
  /** Deletes, after every section has been applied. */
  finish?(report: Report): Promise<void>;
  /** As `--json` prints it, with what has been done so far; undefined if the file says nothing about it. */
  json(): unknown;
}

export interface Counts {
  readonly create: number;
  readonly change: number;
  readonly delete: number;
  readonly unchanged: number;
}

/** What a section tells while it is being applied. */
export interface Report {
  /** A secret is shown as soon as there is one: if a later step fails, it must not be lost. */
  secret(shown: Readonly<Record<string, string>>): void;
  /** So much of what is counted has been changed. */
  changed(count: number): void;
  /** Whether anything has been changed, by whichever section. */
  hasChanges(): boolean;
}

/** Counts steps by what they do. */
export function countSteps(steps: readonly { readonly kind: string }[]): Counts {
  const count = (kind: string) => steps.filter((step) => step.kind === kind).length;
  return { create: count('create'), change: count('update'), delete: count('delete'), unchanged: count('unchanged') };
}
