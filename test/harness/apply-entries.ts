// Applies entries of one section of a file for `latchkey apply`, as anyone: the command itself acts as an administrator.

import assert from 'node:assert/strict';
import type { AdminOutcome } from '../../src/operations/admin/outcome.ts';
import { applyStep } from '../../src/operations/apply/apply-section.ts';
import type { ApplyServices, FileSection } from '../../src/operations/apply/file-section.ts';
import { planSection } from '../../src/operations/apply/plan-section.ts';
import { readSection } from '../../src/operations/apply/read-section.ts';
import type { Requester } from '../../src/protocol/event.ts';
import type { JsonObject } from '../../src/protocol/reading/strict-json.ts';

/** What the file says, once everyone whom it names has been found. */
export async function resolvedEntries(services: ApplyServices, section: FileSection, entries: readonly JsonObject[]) {
  const problems: string[] = [];
  const readers = { imageAt: () => 'no images', secretAt: () => ({ problem: 'no secrets' }) };
  const described = readSection(section, entries, readers, problems);
  assert.deepEqual(problems, []);
  const context = { services, file: new Map([[section.name, described]]), prune: false, problems: new Set<string>() };
  const resolved = (await section.resolve?.(context, described)) ?? described;
  assert.deepEqual([...context.problems], []);
  return { context, resolved };
}

export async function applyEntries(
  services: ApplyServices,
  section: FileSection,
  entries: readonly JsonObject[],
  requester: Requester,
): Promise<AdminOutcome<object>> {
  const { context, resolved } = await resolvedEntries(services, section, entries);
  const planned = await planSection(section, context, resolved);
  if (planned.kind === 'refused') return planned;
  for (const step of planned.steps) {
    const outcome = await applyStep(section, services, step, requester);
    if (outcome.kind === 'refused') return outcome;
  }
  return { kind: 'done' };
}
