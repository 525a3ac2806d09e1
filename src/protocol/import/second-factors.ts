// The second factors that people had at the other service. An authenticator app works here as well if its codes are made as ours
// are; nothing else can move. Nobody arrives with fewer factors than they had unless that is meant.

import { DAY } from '../durations.ts';
import { readBase32 } from '../sign-in/totp.ts';

export interface ImportedAuthenticator {
  readonly secret: Uint8Array;
  readonly createdAt: number;
}

interface GivenApp {
  readonly secret: Uint8Array;
  /** In milliseconds; undefined if the other service doesn't say. */
  readonly createdAt: number | undefined;
}

/** Recovery codes of the other service aren't among them: they're no factor. */
export interface GivenFactors {
  /** Whose codes are made as ours are. */
  readonly apps: readonly GivenApp[];
  /** What works nowhere else, as it's listed. */
  readonly others: readonly string[];
  /** What an app that isn't taken over is listed as. */
  readonly appsAs: string;
}

/** `apps` are texts in base32. */
export function factorsIn(
  what: string,
  apps: readonly (string | undefined)[],
  problems: string[],
  others: readonly string[] = [],
): GivenFactors {
  const secrets = apps.flatMap((text) => secretOf(text, problems) ?? []);
  return { apps: secrets.map((secret) => ({ secret, createdAt: undefined })), others, appsAs: what };
}

/** In bytes: from what the oldest apps have to what the longest hash takes. */
const sizes = { least: 10, most: 128 };

/** As bytes, or as text in base32. */
export function secretOf(given: string | Uint8Array | undefined, problems: string[]): Uint8Array | undefined {
  if (given === undefined) return undefined;
  // Decoding takes time, and no more than this can be one.
  const isShort = given.length <= 4 * sizes.most;
  const secret = typeof given !== 'string' ? given : isShort ? readBase32(given) : undefined;
  if (secret === undefined && isShort) problems.push("the authenticator app's secret is not base32");
  else if (secret === undefined || secret.length < sizes.least || secret.length > sizes.most) {
    problems.push(`the authenticator app's secret must have ${sizes.least} to ${sizes.most} bytes`);
  } else return secret;
  return undefined;
}

export interface TakenFactors {
  readonly authenticator: ImportedAuthenticator | null;
  /** Whether they had some, and none can be taken over. */
  readonly lost: boolean;
}

/** Adds to `left` what isn't taken over. */
export function takeOver(given: GivenFactors | undefined, now: number, left: string[]): TakenFactors {
  if (given === undefined) return { authenticator: null, lost: false };
  const [newest, ...older] = given.apps.toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
  left.push(...older.map(() => given.appsAs), ...given.others);
  if (newest === undefined) return { authenticator: null, lost: given.others.length > 0 };
  const { secret, createdAt } = newest;
  // A reset pauses what is newer than a week. What has no date isn't new.
  const isDated = createdAt !== undefined && createdAt <= now;
  return { authenticator: { secret, createdAt: isDated ? createdAt : now - 8 * DAY }, lost: false };
}

export interface FactorHolder {
  readonly emailVerified: boolean;
  readonly hasPassword: boolean;
}

/** Why a person whose second factor can't be moved isn't imported. */
export function lostFactorProblem({ emailVerified, hasPassword }: FactorHolder, isMeant: boolean): string | undefined {
  if (!isMeant) return "has a second factor that can't be taken over";
  if (!hasPassword || emailVerified) return undefined;
  return "has a second factor that can't be taken over, and no verified email address to set up another one with";
}
