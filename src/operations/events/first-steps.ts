// What is left to do on a new service, from what the service knows about itself. Each person gets what they can act on.

import { type Authority, may, type Right } from '../../protocol/admin/rights.ts';
import { DAY } from '../../protocol/durations.ts';
import { lastBackupName } from '../../protocol/resources/settings.ts';
import { findBackupState } from '../backups/scheduled-backups.ts';
import type { Services, Timing } from '../services.ts';

/** A copy that is older says nothing about backups. */
const backupDays = 30;

const rightsOfSteps = {
  email: 'settings.change',
  base_url: 'settings.change',
  backup: 'settings.change',
  second_administrator: 'roles.change',
  second_factor: 'settings.change',
  first_application: 'applications.change',
} as const satisfies Readonly<Record<string, Right>>;

export type FirstStep = keyof typeof rightsOfSteps;

export type FirstSteps = readonly { readonly step: FirstStep; readonly done: boolean }[];

/** None once all are done, or an administrator has hidden them. */
export async function firstSteps(
  services: Timing & Pick<Services, 'issuer' | 'emailQueue' | 'settings'>,
  authority: Authority | undefined,
): Promise<FirstSteps> {
  const { storage, clock, settings } = services;
  const { first_steps, second_factor } = await settings.readFresh();
  const wanted = (Object.keys(rightsOfSteps) as FirstStep[]).filter((step) => may(authority, rightsOfSteps[step]));
  if (first_steps === 'hidden' || wanted.length === 0) return [];
  const [stored, scheduled, administrators, clients] = await Promise.all([
    storage.listSettings(),
    findBackupState(services),
    storage.countAdministrators(),
    storage.pageClients({ words: [], after: undefined, limit: 1 }),
  ]);
  const noted = Number(stored.find(({ name }) => name === lastBackupName)?.value ?? 0);
  const backup = Math.max(noted, scheduled?.succeededAt ?? 0);
  const done: Readonly<Record<FirstStep, boolean>> = {
    email: services.emailQueue.kind === 'smtp',
    base_url: services.issuer.startsWith('https:'),
    backup: clock.now() - backup < backupDays * DAY,
    second_administrator: administrators > 1,
    second_factor: second_factor !== 'optional',
    first_application: clients.items.length > 0,
  };
  const steps = wanted.map((step) => ({ step, done: done[step] }));
  return steps.every((each) => each.done) ? [] : steps;
}
