// How long somebody has to wait, in words. Part of the catalogue in messages.ts.

const hour = 60;
const day = 24 * hour;

/** Rounded up, so that nobody comes back too early. */
export function waitingTime(minutes: number): string {
  if (minutes <= 90) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  if (minutes <= 2 * day) return `${Math.ceil(minutes / hour)} hours`;
  return `${Math.ceil(minutes / day)} days`;
}
