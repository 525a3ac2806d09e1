// When a scheduled backup is due, and what is wrong with those that were made. Which instance makes them, and how, is up to others.

import { DAY, HOUR, MINUTE } from './durations.ts';

/** What the store knows, for all instances. Times are milliseconds since the epoch. */
export interface BackupState {
  /** The machine that makes them, and where. */
  readonly host: string;
  readonly folder: string;
  readonly hours: number;
  /** When an instance first had the schedule, and when one last had it, to within an hour. */
  readonly since: number;
  readonly seenAt: number;
  readonly succeededAt: number | null;
  readonly file: string | null;
  readonly size: number;
  readonly failedAt: number | null;
  readonly reason: string | null;
  /** Whether the folder is on the disk of the store. */
  readonly onStoreDisk: boolean;
}

export type BackupProblem = 'backup_failed' | 'backup_overdue' | 'backup_on_store_disk';

/** How long after a failure it's tried again. */
const retryAfter = 10 * MINUTE;
/** Once no instance has had the schedule for so long, nobody misses it. */
const missedFor = 30 * DAY;

export function parseBackupState(text: string | undefined): BackupState | undefined {
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as BackupState);
}

export function isDue(state: BackupState, now: number): boolean {
  const { succeededAt, failedAt, hours } = state;
  if (hasFailed(state) && now - (failedAt ?? 0) < retryAfter && now >= (failedAt ?? 0)) return false;
  // One that lies in the future was made by a wrong clock.
  return succeededAt === null || now - succeededAt >= hours * HOUR || succeededAt > now + HOUR;
}

export function hasFailed({ succeededAt, failedAt }: BackupState): boolean {
  return failedAt !== null && failedAt > (succeededAt ?? 0);
}

/** How old the newest one is. */
export function backupAge({ succeededAt, since }: BackupState, now: number): number {
  return Math.max(0, now - (succeededAt ?? since));
}

export function backupProblems(state: BackupState | undefined, now: number): BackupProblem[] {
  if (state === undefined || now - state.seenAt > missedFor) return [];
  return [
    ...(hasFailed(state) ? ['backup_failed' as const] : []),
    ...(backupAge(state, now) > 2 * state.hours * HOUR ? ['backup_overdue' as const] : []),
    ...(state.onStoreDisk ? ['backup_on_store_disk' as const] : []),
  ];
}
