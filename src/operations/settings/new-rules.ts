// Rules that a change of the settings would make for many people, and how many each affects, for the administrator who is about to
// make it.

import { hasRole } from '../../protocol/account/roles.ts';
import type { Total } from '../../protocol/admin/totals.ts';
import { endOfDay } from '../../protocol/ends.ts';
import { readFields } from '../../protocol/resources/resource.ts';
import {
  passwordPolicies,
  type Settings,
  type SettingsInput,
  secondFactorPolicies,
  settingFields,
} from '../../protocol/resources/settings.ts';
import { canHavePassword } from '../../protocol/sign-in/password-policy.ts';
import { factorNeed } from '../../protocol/sign-in/second-factor-policy.ts';
import type { User } from '../../storage/storage.ts';
import { countPasswordOnly, isPasswordOnly } from '../passwords/password-only.ts';
import type { Mailing, Services, Timing } from '../services.ts';
import { userHasSecondFactor } from '../sign-in/second-factor-need.ts';
import { countPeople } from '../users/people-count.ts';
import { type AffectedPeople, newlyAffectedBy } from './inactive-people.ts';

/** Who would have to do something, among how many, and whether the administrator is one of them. */
interface Affected {
  readonly people: Total;
  readonly among: number;
  readonly you: boolean;
}

export type NewRule =
  | ({ readonly kind: 'inactive' } & AffectedPeople)
  | ({ readonly kind: 'second_factor'; readonly who: 'administrators' | 'everyone' } & Affected)
  | ({
      readonly kind: 'passwords';
      readonly who: 'administrators' | 'everyone';
      /** Whether only the end is new. */
      readonly isEnd: boolean;
      /** The last moment at which existing passwords work; undefined if there is no end. */
      readonly until: number | undefined;
      readonly isOver: boolean;
    } & Affected);

type RuleServices = Timing & Pick<Services, 'settings' | 'storeClock'> & Pick<Mailing, 'emailQueue'>;

/** None if the settings are refused. */
export async function newRules(services: RuleServices, given: SettingsInput, you: User): Promise<NewRule[]> {
  const before = await services.settings.readFresh();
  const { values, problems } = readFields(settingFields, given, before);
  if (problems.length > 0) return [];
  const after: Settings = { ...before, ...values };
  const [secondFactor, passwords, inactive] = await Promise.all([
    secondFactorRule(services, before, after, you),
    passwordRule(services, before, after, you),
    newlyAffectedBy(services, given),
  ]);
  return [
    ...(secondFactor ? [secondFactor] : []),
    ...(passwords ? [passwords] : []),
    ...(inactive ? [{ kind: 'inactive', ...inactive } as const] : []),
  ];
}

async function secondFactorRule(
  services: RuleServices,
  { second_factor: before }: Settings,
  { second_factor: who }: Settings,
  you: User,
): Promise<NewRule | undefined> {
  if (who === 'optional' || !isStricter(secondFactorPolicies, before, who)) return undefined;
  const counted = who === 'everyone' ? countPeople(services) : services.storage.countUsersWithRole();
  const { all, withoutFactor } = await counted;
  const isAsked = factorNeed({ policy: who, hasRole: hasRole(you), client: undefined }) !== 'none';
  return {
    kind: 'second_factor',
    who,
    people: { count: withoutFactor, more: false },
    among: all,
    you: isAsked && !(await userHasSecondFactor(services, you)),
  };
}

async function passwordRule(
  services: RuleServices,
  before: Settings,
  after: Settings,
  you: User,
): Promise<NewRule | undefined> {
  const { passwords } = after;
  if (passwords === 'allowed') return undefined;
  const [end, until] = [before, after].map(({ passwords_until }) => endOfDay(passwords_until));
  const isEnd = !isStricter(passwordPolicies, before.passwords, passwords);
  const endsSooner = until !== undefined && until < (end ?? Number.POSITIVE_INFINITY);
  // For those who still may not have one, which are fewer if the policy allows more.
  if (isEnd && !endsSooner) return undefined;
  const who = passwords === 'off' ? 'everyone' : 'administrators';
  const [{ most, ...counts }, { all }, isOnly] = await Promise.all([
    countPasswordOnly(services, after),
    who === 'everyone' ? countPeople(services) : services.storage.countUsersWithRole(),
    isPasswordOnly(services, after, you),
  ]);
  return {
    kind: 'passwords',
    who,
    isEnd,
    until,
    isOver: until !== undefined && until < services.clock.now(),
    people: { count: counts[who], more: counts[who] >= most },
    among: all,
    you: isOnly && !canHavePassword(after, hasRole(you)),
  };
}

/** Policies in the order in which they allow less. */
function isStricter<Policy>(policies: readonly Policy[], before: Policy, after: Policy): boolean {
  return policies.indexOf(after) > policies.indexOf(before);
}
