// What every engine has to guarantee: each promise that storage.ts makes. No engine may skip a rule.

import { describe, test } from 'node:test';
import type { Driver } from '../../src/storage/driver.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { accessRules } from './conformance/access.ts';
import { accessRequestRules } from './conformance/access-requests.ts';
import { accountRules } from './conformance/account.ts';
import { administratorRules } from './conformance/administrators.ts';
import { apiKeyRules } from './conformance/api-keys.ts';
import { assuranceRules } from './conformance/assurance.ts';
import { attributeRules } from './conformance/attributes.ts';
import { changeRules } from './conformance/changes.ts';
import { claimRules } from './conformance/claims.ts';
import { secretRules } from './conformance/client-secrets.ts';
import { clientRules } from './conformance/clients.ts';
import { codeRules } from './conformance/codes.ts';
import { emailCodeRules } from './conformance/email-codes.ts';
import { endRules } from './conformance/ends.ts';
import { eventRules } from './conformance/events.ts';
import { filterRules } from './conformance/filters.ts';
import { grantRules } from './conformance/grants.ts';
import { housekeepingRules } from './conformance/housekeeping.ts';
import { importRules } from './conformance/imports.ts';
import { inactivityRules } from './conformance/inactivity.ts';
import { instanceRules } from './conformance/instances.ts';
import { launcherRules } from './conformance/launcher.ts';
import { linkRules } from './conformance/links.ts';
import { listPageRules } from './conformance/list-pages.ts';
import { mailRules } from './conformance/mail.ts';
import { nameRules } from './conformance/names.ts';
import { ownerRules } from './conformance/owners.ts';
import { passwordRules } from './conformance/passwords.ts';
import { peopleRules } from './conformance/people.ts';
import { peopleWithAccessRules } from './conformance/people-with-access.ts';
import { profileRules } from './conformance/profiles.ts';
import { proofRules } from './conformance/proof.ts';
import { recoveryRules } from './conformance/recovery.ts';
import { reviewRules } from './conformance/reviews.ts';
import { roleRules } from './conformance/roles.ts';
import { scimGroupRules } from './conformance/scim-groups.ts';
import { searchRules } from './conformance/search.ts';
import { secondFactorRules } from './conformance/second-factors.ts';
import { serviceKeyRules } from './conformance/service-keys.ts';
import { sessionRules } from './conformance/sessions.ts';
import { settingRules } from './conformance/settings.ts';
import { signUpRules } from './conformance/sign-up.ts';
import { sharedLinkRules } from './conformance/sign-up-links.ts';
import { throttlingRules } from './conformance/throttling.ts';
import { trustedDeviceRules } from './conformance/trusted-devices.ts';
import { identityRules, upstreamRules } from './conformance/upstreams.ts';
import { userRules } from './conformance/users.ts';
import { waitingRules } from './conformance/waiting.ts';
import { webhookRules } from './conformance/webhooks.ts';
import { whatEndsRules } from './conformance/what-ends.ts';
import { wholeStoreRules } from './conformance/whole-store.ts';
import type { Rule } from './records.ts';

/** `openStore` opens an empty store that nothing else uses. With `sample`, only the first rule of so many subjects runs. */
export function storageConformance(
  engine: string,
  openStore: () => Promise<{ storage: Storage; driver: Driver; close(): Promise<void> }>,
  { sample }: { sample?: number } = {},
): void {
  const rule: Rule = (name, body) => {
    test(name, async () => {
      const { storage, driver, close } = await openStore();
      try {
        await body(storage, driver);
      } finally {
        await close();
      }
    });
  };
  const subjects = {
    users: userRules,
    names: nameRules,
    profiles: profileRules,
    attributes: attributeRules,
    passwords: passwordRules,
    administrators: administratorRules,
    roles: roleRules,
    'sign-up': signUpRules,
    'people with access': peopleWithAccessRules,
    'people who wait for approval': waitingRules,
    'links to sign up with': sharedLinkRules,
    sessions: sessionRules,
    'what ends what': whatEndsRules,
    'proof of identity': proofRules,
    'trusted devices': trustedDeviceRules,
    links: linkRules,
    'codes by email': emailCodeRules,
    'second factors': secondFactorRules,
    'filters and totals of lists': filterRules,
    'account recovery': recoveryRules,
    assurance: assuranceRules,
    'whole accounts': accountRules,
    clients: clientRules,
    'client secrets': secretRules,
    'who may use which client': accessRules,
    'owners of clients': ownerRules,
    'requests for access': accessRequestRules,
    'access that ends by itself': endRules,
    'reviews of access': reviewRules,
    'accounts that nobody uses': inactivityRules,
    'clients to open': launcherRules,
    'authorization and codes': codeRules,
    'grants and connected apps': grantRules,
    'claims of applications': claimRules,
    mail: mailRules,
    events: eventRules,
    'API keys': apiKeyRules,
    'service keys': serviceKeyRules,
    instances: instanceRules,
    settings: settingRules,
    'lists and search': searchRules,
    'pages of lists': listPageRules,
    'people and their administrators': peopleRules,
    'people from elsewhere': importRules,
    'groups of directories': scimGroupRules,
    throttling: throttlingRules,
    upstreams: upstreamRules,
    identities: identityRules,
    webhooks: webhookRules,
    housekeeping: housekeepingRules,
    'the whole store': wholeStoreRules,
    'changes and their events': changeRules,
  };
  for (const [subject, register] of Object.entries(subjects).slice(0, sample)) {
    let registered = 0;
    const ruleOfSample: Rule = (name, body) => {
      if (registered++ === 0) rule(name, body);
    };
    const wanted = sample === undefined ? rule : ruleOfSample;
    describe(`storage on ${engine}: ${subject}`, { concurrency: 4 }, () => register(wanted));
  }
}
