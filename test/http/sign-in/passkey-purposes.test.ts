// A challenge for a passkey is for one purpose: the answer to it is refused for any other, in the same browser, too.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { ChallengeUse } from '../../../src/http/sign-in/sign-in-tickets.ts';
import { challengeFor, type Holder, newHolder, offered, passkeyForm, passkeysOf } from '../../harness/passkeys.ts';
import { type Form, formIn, type Person } from '../../harness/person.ts';
import { proofAsked } from '../../harness/proof.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import { isSignedIn, post, reachSecondStep, securityPath } from '../../harness/second-factors.ts';
import { SoftwareAuthenticator } from '../../harness/software-authenticator.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const session = 'latchkey_session';

const service = serviceOfSuite();
let holder: Holder;
/** Somebody who has been signed in for so long that their proof of identity counts for half a minute more. */
beforeEach(async () => {
  service.clock.advance(60 * MINUTE);
  holder = await newHolder(service);
  service.clock.advance(14.5 * MINUTE);
});

/** Something that a passkey is for, in the holder's browser. */
interface Use {
  /** The form whose challenge is asked for at its action, or at another path. */
  source(person: Person): Promise<Form>;
  /** The form that takes the answer. */
  target(person: Person): Promise<Form>;
  succeeds(person: Person, response: Response): Promise<boolean>;
}

async function withoutSession<Result>(person: Person, work: () => Promise<Result>): Promise<Result> {
  const secret = person.cookies.get(session) ?? '';
  person.cookies.delete(session);
  const result = await work();
  person.cookies.set(session, secret);
  return result;
}

/** For signing in, nobody may be signed in. */
function entry(form: (person: Person) => Promise<Form>): Use {
  return {
    source: (person) => withoutSession(person, () => form(person)),
    async target(person) {
      person.cookies.delete(session);
      return form(person);
    },
    succeeds: isSignedIn,
  };
}

async function verificationForm(person: Person): Promise<Form> {
  const path = authorizePath(await service.newClient(), newVerifier(), { acr_values: '2' });
  return formIn(await person.visit(path), '/sign-in/verify');
}

const uses: Record<ChallengeUse, Use> = {
  signIn: entry(async (person) => (await offered(service, person)).form),
  secondStep: entry(async (person) => (await reachSecondStep(service, holder.user, person)).form),
  verification: {
    source: verificationForm,
    target: verificationForm,
    succeeds: async (_person, response) => response.status === 303,
  },
  proof: {
    source: async (person) => ({ ...(await passkeyForm(person)), action: '/account/proof' }),
    async target(person) {
      service.clock.advance(MINUTE);
      const form = await formIn(await person.visit(securityPath), '/account/recovery-codes');
      return proofAsked(await person.submit(form, {}));
    },
    succeeds: async (_person, response) => /Save your recovery codes/.test(await response.text()),
  },
  registration: {
    source: passkeyForm,
    target: passkeyForm,
    succeeds: async () => (await passkeysOf(service, holder.user)).length > 1,
  },
};

for (const [from, { source }] of Object.entries(uses)) {
  for (const [to, { target, succeeds }] of Object.entries(uses)) {
    test(`a challenge for ${from} is ${from === to ? 'accepted' : 'refused'} for ${to}`, async () => {
      const { person, device } = holder;
      const challenge = await challengeFor(person, await source(person));
      const { action, fields } = await target(person);
      const answer =
        to === 'registration' ? new SoftwareAuthenticator(service.url).create(challenge) : device.get(challenge);
      const response = await post(person, action, { ...fields, answer, challenge: challenge.challenge });
      assert.equal(await succeeds(person, response), from === to);
    });
  }
}
