// Makes backups by schedule: one instance of those that have it does so, by a lease, and notes in the store how it went.

import { HOUR, MINUTE } from '../../protocol/durations.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { type BackupState, hasFailed, isDue, parseBackupState } from '../../protocol/scheduled-backups.ts';
import type { Storing, Timing } from '../services.ts';

/** Longer than the time between two rounds, and renewed while a backup is being made. */
const leaseLifetime = 3 * MINUTE;

export interface BackupSchedule extends Pick<BackupState, 'host' | 'folder' | 'hours'> {
  readonly holder: string;
  isOnStoreDisk(): boolean;
  exists(file: string): boolean;
  make(): Promise<{ readonly file: string; readonly size: number }>;
}

export type BackupOutcome =
  | { readonly kind: 'made'; readonly file: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'not_due' | 'elsewhere' };

export async function findBackupState({ storage }: Storing): Promise<BackupState | undefined> {
  return parseBackupState(await storage.findFact('backup'));
}

/** To be called about once a minute. A backup that fails is tried again after a while. */
export async function backUpWhenDue(services: Timing, schedule: BackupSchedule): Promise<BackupOutcome> {
  const { storage, clock } = services;
  const { holder, host, folder, hours } = schedule;
  const takeLease = () => storage.takeLease('backup', holder, clock.now(), clock.now() + leaseLifetime);
  // Where it failed, the lease isn't renewed until it's tried again: another machine may have a folder that works.
  const before = await findBackupState(services);
  if (before?.host === host && hasFailed(before) && !isDue(before, clock.now())) return { kind: 'not_due' };
  if (!(await takeLease())) return { kind: 'elsewhere' };
  const known = await findBackupState(services);
  const now = clock.now();
  const nothing = { since: now, seenAt: 0, succeededAt: null, file: null, size: 0, failedAt: null, reason: null };
  const state: BackupState = { ...nothing, ...known, host, folder, hours, onStoreDisk: known?.onStoreDisk ?? false };
  // Only this machine can tell: another one may have a folder with the same name.
  const isGone = known?.host === host && known.folder === folder && known.file !== null && !schedule.exists(known.file);
  const note = (change: Partial<BackupState>) =>
    storage.noteFact('backup', JSON.stringify({ ...state, seenAt: clock.now(), ...change }));
  if (!isDue(isGone ? { ...state, succeededAt: null } : state, now)) {
    const isElsewhere = known?.folder !== folder;
    const isNoted = now - state.seenAt <= HOUR && !isElsewhere && known.hours === hours;
    // Until the next try, it's said where it failed.
    if (!isNoted && !hasFailed(state)) await note(isElsewhere ? { onStoreDisk: isOnStoreDisk(schedule) } : {});
    return { kind: 'not_due' };
  }
  const renewing = setInterval(() => void takeLease().catch(() => {}), leaseLifetime / 3);
  renewing.unref();
  try {
    const { file, size } = await schedule.make();
    const succeededAt = clock.now();
    await note({ succeededAt, file, size, failedAt: null, reason: null, onStoreDisk: schedule.isOnStoreDisk() });
    return { kind: 'made', file };
  } catch (error) {
    const reason = messageOf(error);
    await note({ failedAt: clock.now(), reason });
    return { kind: 'failed', reason };
  } finally {
    clearInterval(renewing);
  }
}

/** A folder that isn't there says so when a backup is made. */
function isOnStoreDisk(schedule: BackupSchedule): boolean {
  try {
    return schedule.isOnStoreDisk();
  } catch {
    return false;
  }
}
