// The attacks of this folder. Each is the root cause of published advisories of comparable projects, tried here. Its number
// stays; attacks.test.ts sees to it that none is left out.

import { type TestContext, test } from 'node:test';

export const advisories = {
  1: 'ZITADEL CVE-2026-85056, better-auth GHSA-xg6x-h9c9-2m83',
  2: 'authentik CVE-2026-94606, Keycloak CVE-2025-3910, ZITADEL CVE-2026-105209',
  3: 'authentik CVE-2026-94606',
  4: 'Pocket ID GHSA-hp74-gm6m-2qm5, Keycloak CVE-2026-3429',
  5: 'Devolutions CVE-2026-9047',
  6: 'Keycloak CVE-2026-90997, MISP CVE-2026-103651, Dovecot CVE-2026-27855',
  7: 'Keycloak CVE-2026-96445',
  8: 'authentik CVE-2026-49448 and CVE-2026-54730',
  9: 'Casdoor CVE-2026-9091, Logto CVE-2026-15616',
  10: 'Keycloak CVE-2026-18963, Kiteworks CVE-2026-102115',
  11: 'Keycloak CVE-2026-4282 and CVE-2026-37982, better-auth CVE-2026-110862',
  12: 'authentik CVE-2025-64708, ZITADEL CVE-2026-32132',
  13: 'better-auth GHSA-fmh4-wcc4-5jm3, Keycloak CVE-2026-1529',
  14: 'ZITADEL CVE-2026-27946 and CVE-2026-54693',
  15: 'ZITADEL CVE-2026-105211',
  16: 'better-auth CVE-2026-67327, PocketBase CVE-2026-44166',
  17: 'ZITADEL CVE-2025-64101',
  18: 'OpenAM CVE-2026-105117, Jakarta Mail CVE-2025-7962',
  19: 'next-auth GHSA-7rqj-j65f-68wh, Logto CVE-2026-15617',
  20: 'Keycloak CVE-2026-9087, better-auth GHSA-g38m-r43w-p2q7 and CVE-2026-67335, Python Social Auth CVE-2026-57175',
  21: 'next-auth GHSA-x445-f3h2-j279 and GHSA-8fpg-xm3f-6cx3, ZITADEL CVE-2026-109372, better-auth #10224',
  22: 'ZITADEL CVE-2025-46815, Casdoor CVE-2026-9098',
  23: 'ZITADEL CVE-2026-55669, Logto CVE-2026-15612, Keycloak CVE-2026-11800, Python Social Auth CVE-2026-57178',
  24: 'Casdoor CVE-2026-9092, ZITADEL CVE-2026-56666, Nhost CVE-2026-41574',
  25: 'Keycloak CVE-2026-1486 and CVE-2026-3009, authentik CVE-2025-53942, ZITADEL CVE-2025-64717',
  26: 'Ory Kratos v26.2.19',
  27: 'better-auth CVE-2026-53513 and #9226, Keycloak CVE-2026-4874, CVE-2026-1180 and CVE-2026-4366',
  28: 'ZITADEL CVE-2026-55671 and CVE-2026-27945, Logto CVE-2026-56739, Pocket ID 2.11, Postiz GHSA-wc9c-7cv8-m225',
  29: 'authentik GHSA-4r87-w2cx-fr3f',
  30: 'Pocket ID CVE-2026-28513',
  31: 'better-auth GHSA-7w99-5wm4-3g79',
  32: 'better-auth GHSA-pw9m-5jxm-xr6h and GHSA-392p-2q2v-4372, Keycloak CVE-2026-1035 and CVE-2026-9802, Casdoor CVE-2026-9097',
  33: 'Pocket ID CVE-2026-43983, Keycloak CVE-2025-14559, CVE-2026-1609 and CVE-2026-2733, authentik CVE-2025-64521, Rauthy 0.32.4',
  34: 'Keycloak CVE-2026-9705 and CVE-2026-18573',
  35: 'ZITADEL CVE-2026-27840',
  36: 'OpenAM CVE-2026-105119, Pocket ID 2.8',
  37: 'Pocket ID CVE-2026-28512 and 2.9, Keycloak CVE-2026-3872 and CVE-2026-7504, authentik CVE-2026-41569',
  38: 'Keycloak CVE-2026-9689',
  39: 'Keycloak CVE-2026-9086, Pocket ID 2.6',
  40: 'authentik CVE-2026-42849, ZITADEL CVE-2026-29191, OpenAM CVE-2026-105114, Keycloak CVE-2026-37980',
  41: 'Keycloak CVE-2026-4634',
  42: 'Keycloak CVE-2026-0707 and CVE-2026-9803, next-auth GHSA-xmf8-cvqr-rfgj',
  43: 'Keycloak CVE-2026-37977',
  44: 'Keycloak CVE-2026-7507',
  45: 'OpenAM CVE-2026-105118, thunderid#4990',
  46: 'Keycloak CVE-2025-12390',
  47: 'authentik CVE-2025-29928, better-auth GHSA-2vg6-77g8-24mp',
  48: 'Rodauth CVE-2026-82466, Keycloak CVE-2026-8830 and CVE-2026-6856, Pocket ID 1.8, 2.12 and 2.13',
  49: 'authentik CVE-2026-40166 and CVE-2026-94611, Keycloak CVE-2026-3911',
  50: 'Keycloak CVE-2026-97177 and CVE-2026-18570, authentik CVE-2026-49443, Kanidm 1.10.2',
  51: 'Pocket ID 2.12, Keycloak CVE-2026-9796',
  52: 'better-auth CVE-2025-61928',
  53: 'ZITADEL CVE-2026-32130, better-auth #10004, Cisco CVE-2026-76504',
  54: 'better-auth CVE-2026-45364 and #10203, Authelia CVE-2025-24806 and CVE-2026-47203, Keycloak CVE-2026-9798, Pocket ID 2.13',
  55: 'Keycloak CVE-2026-4633',
  56: 'Keycloak CVE-2026-9083',
  57: 'OpenTelemetry CVE-2026-45292',
  58: 'Ory v26.2.5',
  59: 'Keycloak CVE-2026-18572',
  60: 'authentik 2025.12',
  61: 'authentik GHSA-5wcc-hf24-rf5h and CVE-2026-25748, oauth2-proxy CVE-2026-40575 and CVE-2025-64484, Fabio CVE-2025-48865, Authelia CVE-2026-48794',
  62: 'better-auth CVE-2026-67327 and CVE-2026-110862, authentik CVE-2026-94606, ZITADEL CVE-2026-54693',
  63: 'ZITADEL CVE-2026-32130, better-auth GHSA-j8v8-g9cx-5qf4',
  64: 'Keycloak CVE-2026-9099, CVE-2026-18571, CVE-2026-96448, CVE-2026-97177 and CVE-2026-97311, authentik CVE-2026-94609',
} as const;

export type AttackNumber = keyof typeof advisories;

/** What of an attack can't be tried, and why. Printed with its test. */
export const cannotApply: Partial<Record<AttackNumber, string>> = {
  18: 'No email names an application.',
  31: 'A promoted standby needs a PostgreSQL cluster, which npm run cluster fails over under load.',
  32: 'After a restart there is nothing but the store, as for the other instance; rotations and failovers are tried under load by their own tests.',
  33: 'Deleting an identity provider ends no session; between the redirect and the callback, T25 tries it.',
  50: 'A command such as latchkey apply has the store and the keys, so there is no session that could be asked for proof.',
};

export function attack(number: AttackNumber, rule: string, body: (t: TestContext) => Promise<void>): void {
  test(`T${number} (${advisories[number]}): ${rule}`, async (t) => {
    const reason = cannotApply[number];
    if (reason !== undefined) t.diagnostic(`T${number}: ${reason}`);
    await body(t);
  });
}
