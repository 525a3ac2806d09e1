// Moments as operators type them: how long ago, a day, or an exact time.

const SECOND = 1000;
const units = { s: SECOND, m: 60 * SECOND, h: 3600 * SECOND, d: 86_400 * SECOND, w: 7 * 86_400 * SECOND } as const;
const ago = /^(\d{1,6})([smhdw])$/;
const exact = /^(\d{4}-\d{2}-(\d{2}))(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/i;

/** In milliseconds; undefined if the text is no time. A time without a time zone is in UTC, like a day of the console. */
export function readMoment(text: string, now: number): number | undefined {
  const [, count, unit] = ago.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * units[unit as keyof typeof units];
  const [, date = '', day, time = '00:00', zone = 'Z'] = exact.exec(text) ?? [];
  // February 31 would be a day in March.
  if (new Date(`${date}T00:00Z`).getUTCDate() !== Number(day)) return undefined;
  const at = Date.parse(`${date}T${time}${zone}`);
  return Number.isNaN(at) ? undefined : at;
}
