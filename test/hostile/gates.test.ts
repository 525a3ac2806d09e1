// Every gate at every step: what an administrator or the person changes between two steps of a sign-in counts for the next one,
// at another instance than the one where it was changed.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { removeApp } from '../../src/operations/account/your-apps.ts';
import { changeAllowed } from '../../src/operations/clients/access-list.ts';
import { rotateClientSecret, updateClient } from '../../src/operations/clients/clients.ts';
import { retireOldSecret, revokeClient } from '../../src/operations/clients/revoke-client.ts';
import { changeMembers, createGroup } from '../../src/operations/groups/groups.ts';
import { sealSecret } from '../../src/operations/second-factors/authenticator-secret.ts';
import { currentSession } from '../../src/operations/sessions/sessions.ts';
import { deleteUser, disableUser } from '../../src/operations/users/disable-user.ts';
import { totpCode, totpStep } from '../../src/protocol/sign-in/totp.ts';
import { isReleaseLane } from '../harness/lane.ts';
import { type Form, Person, readForm } from '../harness/person.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  postForm,
  refreshParameters,
  type TokenBody,
  userinfo,
} from '../harness/relying-party.ts';
import { requester, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { startTwoInstances, type TwoInstances } from '../harness/two-instances.ts';
import { attack } from './attack.ts';

let instances: TwoInstances;
let one: TestService;
let two: TestService;

before(async () => {
  instances = await startTwoInstances();
  ({ one, two } = instances);
});
after(() => instances?.stop());

const secret = Buffer.alloc(20, 7);
const steps = [
  'authorize',
  'sign in',
  'second step',
  'consent',
  'exchange',
  'userinfo',
  'refresh',
  'userinfo again',
  'authorize again',
] as const;
type Step = (typeof steps)[number];

/** Somebody on the way to an application, which only its list lets in. */
class Journey {
  readonly user: TestUser;
  readonly client: TestClient;
  readonly group: string;
  readonly #hasFactor: boolean;
  readonly #person = new Person(one);
  readonly #verifier = newVerifier();
  #form: Form | undefined;
  #code = '';
  #tokens: Partial<TokenBody> = {};

  constructor(user: TestUser, client: TestClient, group: string, hasFactor: boolean) {
    this.user = user;
    this.client = client;
    this.group = group;
    this.#hasFactor = hasFactor;
  }

  get session(): string | undefined {
    return this.#person.cookies.get('latchkey_session');
  }

  /** Whether the step led to what it is for. */
  async take(step: Step): Promise<boolean> {
    const { email, password } = this.user;
    switch (step) {
      case 'authorize': {
        const page = await this.#person.visit(authorizePath(this.client, this.#verifier));
        this.#form = readForm(await page.text(), '/sign-in');
        return this.#form !== undefined;
      }
      case 'authorize again': {
        const silent = authorizePath(this.client, newVerifier(), { prompt: 'none' });
        return /[?&]code=/.test((await this.#person.visit(silent)).headers.get('location') ?? '');
      }
      case 'sign in': {
        const next = this.#hasFactor ? '/sign-in/second-step' : '/oauth-authorize/decision';
        return this.#submit({ email, password }, next);
      }
      case 'second step':
        return this.#submit({ code: totpCode(secret, totpStep(one.clock.now())) }, '/oauth-authorize/decision');
      case 'consent':
        return this.#submit({ decision: 'approve' });
      case 'exchange':
        return this.#token(exchangeParameters(this.client, this.#code, this.#verifier));
      case 'refresh':
        return this.#token(refreshParameters(this.client, this.#tokens.refresh_token ?? ''));
      default:
        return (await userinfo(one, this.#tokens.access_token ?? '')).status === 200;
    }
  }

  async #submit(values: Record<string, string>, next?: string): Promise<boolean> {
    if (this.#form === undefined) return false;
    const response = await this.#person.submit(this.#form, values);
    this.#form = next === undefined ? undefined : readForm(await response.text(), next);
    this.#code = URL.parse(response.headers.get('location') ?? '')?.searchParams.get('code') ?? '';
    return next === undefined ? this.#code !== '' : this.#form !== undefined;
  }

  async #token(parameters: Record<string, string>): Promise<boolean> {
    const { status, body } = await postForm(one, '/oauth/token', parameters);
    if (status === 200) this.#tokens = { ...this.#tokens, ...body };
    return status === 200;
  }
}

let groups = 0;

async function begin(hasFactor: boolean): Promise<Journey> {
  const { services } = two.running;
  const user = await one.newUser();
  const client = await one.newClient();
  const group = `Group ${++groups}`;
  await createGroup(services, { name: group }, requester);
  await changeMembers(services, group, { add: [user.id] }, requester);
  await changeAllowed(services, client.id, 'allow', { people: [], groups: [group] }, requester);
  await updateClient(services, client.id, { access: 'listed' }, requester);
  if (!hasFactor) return new Journey(user, client, group, false);
  const event = services.journal.event({ kind: 'authenticator_added', userId: user.id }, requester);
  const authenticator = { sealedSecret: sealSecret(services, user.id, secret), lastStep: 1 };
  await services.storage.enableAuthenticator(user.id, authenticator, [], services.clock.now(), event);
  return new Journey(user, client, group, true);
}

/** What is changed at the other instance, and the steps that are refused from then on. */
interface Gate {
  close(journey: Journey): Promise<unknown>;
  readonly refuses: readonly Step[];
  readonly withoutFactor?: boolean;
}

const gates: Record<string, Gate> = {
  'the person is disabled': {
    close: ({ user }) => disableUser(two.running.services, { id: user.id }, requester),
    refuses: steps.slice(1),
  },
  'the person is deleted': {
    close: ({ user }) => deleteUser(two.running.services, { id: user.id }, requester),
    refuses: steps.slice(1),
  },
  'the application is revoked': {
    close: ({ client }) => revokeClient(two.running.services, client.id, requester),
    // The person may sign in; where to is decided afterwards.
    refuses: steps.filter((step) => step !== 'sign in'),
  },
  'their group is taken off the list': {
    close: ({ client, group }) =>
      changeAllowed(two.running.services, client.id, 'disallow', { people: [], groups: [group] }, requester),
    refuses: steps.slice(2),
  },
  'they are removed from the group': {
    close: ({ group, user }) => changeMembers(two.running.services, group, { remove: [user.id] }, requester),
    refuses: steps.slice(2),
  },
  'consent is withdrawn': {
    async close({ client, session }) {
      const signedIn = await currentSession(two.running.services, session);
      assert.ok(signedIn);
      await removeApp(two.running.services, signedIn, client.id, requester);
    },
    refuses: steps.slice(steps.indexOf('exchange')),
  },
  'the secret is replaced': {
    async close({ client }) {
      await rotateClientSecret(two.running.services, client.id, requester);
      await retireOldSecret(two.running.services, client.id, requester);
    },
    refuses: ['exchange', 'refresh'],
  },
  'two factors are required': {
    close: ({ client }) => updateClient(two.running.services, client.id, { secondFactor: 'required' }, requester),
    // Of somebody who has signed in with one. What was granted before stays.
    withoutFactor: true,
    refuses: ['sign in', 'consent', 'authorize again'],
  },
};

/** `npm test` tries the gates where something else has to notice them each time. */
const gatedSteps: readonly Step[] = isReleaseLane ? steps : ['sign in', 'consent', 'refresh', 'authorize again'];

attack(33, 'each gate that closes between two steps is noticed by the next one, at the other instance', async () => {
  const wrong: string[] = [];
  for (const [gate, { close, refuses, withoutFactor = false }] of Object.entries(gates)) {
    const way = withoutFactor ? steps.filter((step) => step !== 'second step') : steps;
    for (const [index, step] of way.entries()) {
      // Before there is a session, there's no consent to withdraw.
      if (!gatedSteps.includes(step) || (gate === 'consent is withdrawn' && !refuses.includes(step))) continue;
      const journey = await begin(!withoutFactor);
      for (const earlier of way.slice(0, index)) assert.ok(await journey.take(earlier), `${earlier}, before ${gate}`);
      await close(journey);
      const taken = await journey.take(step);
      if (taken === refuses.includes(step)) wrong.push(`${gate} before ${step}: ${taken ? 'accepted' : 'refused'}`);
      // Nor does anything that comes later succeed.
      for (const later of way.slice(index + 1)) {
        if (refuses.includes(later) && (await journey.take(later))) wrong.push(`${gate} before ${step}, then ${later}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});
