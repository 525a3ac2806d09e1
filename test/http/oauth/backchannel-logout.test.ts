// Applications are told when somebody's session ends, or when they lose the application: every way in which that happens, and
// every way in which it doesn't. How the messages are sent is in test/http/webhooks/logout-messages.test.ts.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { removeOtherAccess } from '../../../src/operations/account/review.ts';
import { changeAllowed } from '../../../src/operations/clients/access-list.ts';
import { updateClient } from '../../../src/operations/clients/clients.ts';
import { revokeClient } from '../../../src/operations/clients/revoke-client.ts';
import { changeMembers, createGroup, deleteGroup } from '../../../src/operations/groups/groups.ts';
import { currentSession } from '../../../src/operations/sessions/sessions.ts';
import { deleteAccount, deleteUser, disableUser, endSessions } from '../../../src/operations/users/disable-user.ts';
import { setPassword } from '../../../src/operations/users/user-recovery.ts';
import { digestOf } from '../../../src/protocol/digest.ts';
import { type LoggedIn, logIn, messagesFor, newLogoutClient, toldOf } from '../../harness/backchannel-logout.ts';
import { keptLink } from '../../harness/links.ts';
import { formIn, Person } from '../../harness/person.ts';
import { finishSetUp, sessionSetUpPath, setUpOn } from '../../harness/policy.ts';
import { authorizePath, newVerifier, obtainCode, postForm } from '../../harness/relying-party.ts';
import { alignToStep } from '../../harness/second-factors.ts';
import { requester, type TestClient, type TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { sweep } from '../../harness/sweep.ts';
import { allowLoopback, type Receiver, startReceiver } from '../../harness/webhooks.ts';

const DAY = 24 * 60 * 60;

const service = serviceOfSuite(allowLoopback);
let receiver: Receiver;
let client: TestClient;
let user: TestUser;
before(async () => {
  receiver = await startReceiver();
});
after(() => receiver.stop());
beforeEach(async () => {
  // Attempts are limited: each test starts when those of the tests before it no longer count.
  service.clock.advance(16 * 60);
  receiver.received.length = 0;
  client = await newLogoutClient(service, receiver);
  user = await service.newUser();
});

const told = (app = client) => toldOf(service, receiver, app);
const services = () => service.running.services;

async function submit(person: Person, page: string, action: string, values: Record<string, string>) {
  return person.submit(await formIn(await person.visit(page), action), values);
}
const signOut = (person: Person) => submit(person, '/account', '/sign-out', {});

function done<Outcome extends { kind: string }>(outcome: Outcome): Outcome {
  assert.equal(outcome.kind, 'done', JSON.stringify(outcome));
  return outcome;
}

describe('a session that ends tells every application it has signed the person in to', () => {
  const ways: Record<string, (signedIn: LoggedIn) => Promise<unknown>> = {
    'signing out here': ({ person }) => signOut(person),
    async 'signing out in another application'({ person }) {
      const other = await service.newClient();
      const { tokens } = await logIn(service, other, user, person);
      await person.request(`/oauth/logout?${new URLSearchParams({ id_token_hint: tokens.id_token })}`);
    },
    async 'ending one session from another'({ person }) {
      const elsewhere = new Person(service);
      await elsewhere.signIn(user);
      const end = digestOf(digestOf(person.cookies.get('latchkey_session') ?? ''));
      await submit(elsewhere, '/account/sessions', '/account/sessions', { end });
    },
    async 'signing out everywhere else'() {
      const elsewhere = new Person(service);
      await elsewhere.signIn(user);
      await submit(elsewhere, '/account/sessions', '/account/sessions', { end_others: 'yes' });
    },
    async 'changing the password in another session'() {
      const elsewhere = new Person(service);
      await elsewhere.signIn(user);
      const values = { current_password: user.password, new_password: 'another phrase of mine' };
      await submit(elsewhere, '/account/security', '/account/password', values);
    },
    'an administrator who signs them out': async () => done(await endSessions(services(), user, requester)),
    'an administrator who sets a password': async () =>
      done(await setPassword(services(), user, 'a phrase from elsewhere', requester)),
    async 'resetting the password with a link'() {
      const link = await keptLink(service, 'reset_password', user.id, user.email);
      const fields = { link, password: 'a phrase from elsewhere' };
      const done = await new Person(service).submit({ action: '/reset-password/finish', fields, buttons: [] }, {});
      assert.equal(done.status, 200);
    },
    async 'removing all other access after that'({ person }) {
      const elsewhere = new Person(service);
      await elsewhere.signIn(user);
      const signedIn = await currentSession(services(), elsewhere.cookies.get('latchkey_session'));
      assert.ok(signedIn);
      assert.ok(await removeOtherAccess(services(), signedIn, [], requester));
      assert.notEqual((await person.request('/account')).status, 200);
    },
    'deleting the account': async ({ person }) => {
      const signedIn = await currentSession(services(), person.cookies.get('latchkey_session'));
      assert.ok(signedIn);
      assert.equal((await deleteAccount(services(), signedIn, requester)).kind, 'deleted');
    },
    'being disabled': async () => done(await disableUser(services(), user, requester)),
    'being deleted': async () => done(await deleteUser(services(), user, requester)),
    'somebody else who signs in with the same browser': async ({ person }) => person.signIn(await service.newUser()),
  };
  for (const [way, end] of Object.entries(ways)) {
    test(way, async () => {
      const signedIn = await logIn(service, client, user);
      const untouched = await newLogoutClient(service, receiver);
      const theirs = await logIn(service, untouched, await service.newUser());
      await end(signedIn);
      assert.deepEqual(await told(), [signedIn.sid]);
      assert.deepEqual(await told(untouched), [], 'nobody else is signed out');
      await signOut(theirs.person);
      assert.deepEqual(await told(untouched), [theirs.sid]);
    });
  }

  test('one message for each grant, and for each application', async () => {
    const second = await newLogoutClient(service, receiver);
    const { person, sid } = await logIn(service, client, user);
    const again = await logIn(service, client, user, person);
    const other = await logIn(service, second, user, person);
    const elsewhere = await logIn(service, client, user);
    await signOut(person);
    assert.deepEqual((await told()).sort(), [sid, again.sid].sort());
    assert.deepEqual(await told(second), [other.sid]);
    await signOut(elsewhere.person);
    assert.equal((await told()).at(-1), elsewhere.sid);
  });

  test('the one that goes on when the password is changed says nothing, until it ends', async () => {
    const { person, sid } = await logIn(service, client, user);
    const values = { current_password: user.password, new_password: 'another phrase of mine' };
    await submit(person, '/account/security', '/account/password', values);
    assert.equal((await person.request('/account')).status, 200);
    assert.deepEqual(await told(), []);
    await signOut(person);
    assert.deepEqual(await told(), [sid]);
  });

  test('somebody who signs in again in the same browser goes on with their session', async () => {
    const { person, sid } = await logIn(service, client, user);
    const again = await logIn(service, client, user, person, { prompt: 'login' });
    assert.deepEqual(await told(), []);
    await signOut(person);
    assert.deepEqual((await told()).sort(), [sid, again.sid].sort());
  });

  test('one that gets a second factor keeps its applications', async () => {
    alignToStep(service);
    const { person, sid } = await logIn(service, client, user);
    const before = person.cookies.get('latchkey_session');
    const strict = await newLogoutClient(service, receiver, { secondFactor: 'required' });
    const path = authorizePath(strict, newVerifier());
    await finishSetUp(service, person, await setUpOn(await person.visit(path), sessionSetUpPath));
    assert.notEqual(person.cookies.get('latchkey_session'), before);
    assert.deepEqual(await told(), []);
    const raised = await logIn(service, strict, user, person);
    await signOut(person);
    assert.deepEqual(await told(), [sid]);
    assert.deepEqual(await told(strict), [raised.sid]);
  });

  test('a code that is about to be exchanged counts', async () => {
    const { person } = await obtainCode(service, client, user);
    await signOut(person);
    assert.equal((await told()).length, 1);
  });

  test('grants stay', async () => {
    const { person, tokens } = await logIn(service, client, user);
    await signOut(person);
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    const credentials = { client_id: client.id, client_secret: client.secret };
    assert.equal((await postForm(service, '/oauth/token', { ...form, ...credentials })).status, 200);
  });
});

describe('losing an application tells it', () => {
  test('when the person removes its access', async () => {
    const { person, sid } = await logIn(service, client, user);
    const elsewhere = await logIn(service, client, user);
    const other = await newLogoutClient(service, receiver);
    await logIn(service, other, user, person);
    await submit(person, '/account/apps', '/account/apps', { remove: client.id });
    assert.deepEqual((await told()).sort(), [sid, elsewhere.sid].sort());
    assert.deepEqual(await told(other), []);
    await signOut(person);
    assert.equal((await told()).length, 2, 'ended grants are no longer live');
  });

  const lists: Record<string, () => Promise<() => Promise<unknown>>> = {
    async 'taken off the list'() {
      const change = (way: 'allow' | 'disallow') =>
        changeAllowed(services(), client.id, way, { people: [user.email], groups: [] }, requester);
      done(await change('allow'));
      done(await updateClient(services(), client.id, { access: 'listed' }, requester));
      return async () => done(await change('disallow'));
    },
    async 'the application is limited to a list without them'() {
      return async () => done(await updateClient(services(), client.id, { access: 'listed' }, requester));
    },
    async 'removed from a group'() {
      const id = await listedGroup();
      return async () => done(await changeMembers(services(), id, { remove: [user.email] }, requester));
    },
    async 'the group is taken off the list'() {
      const id = await listedGroup();
      const change = { people: [], groups: [id] };
      return async () => done(await changeAllowed(services(), client.id, 'disallow', change, requester));
    },
    async 'the group is deleted'() {
      const id = await listedGroup();
      return async () => done(await deleteGroup(services(), id, false, requester));
    },
  };
  async function listedGroup(): Promise<string> {
    const made = await createGroup(services(), { name: `Group of ${user.id}` }, requester);
    assert.ok(made.kind === 'done');
    const { id } = made.group;
    done(await changeMembers(services(), id, { add: [user.email] }, requester));
    done(await changeAllowed(services(), client.id, 'allow', { people: [], groups: [id] }, requester));
    done(await updateClient(services(), client.id, { access: 'listed' }, requester));
    return id;
  }
  for (const [way, prepare] of Object.entries(lists)) {
    test(`when they lose access: ${way}`, async () => {
      const lose = await prepare();
      const { sid, person } = await logIn(service, client, user);
      await lose();
      assert.deepEqual(await told(), [sid]);
      await signOut(person);
      assert.deepEqual(await told(), [sid], 'and not again');
    });
  }

  test('but not while they have access in another way', async () => {
    const id = await listedGroup();
    const change = { people: [user.email], groups: [] };
    done(await changeAllowed(services(), client.id, 'allow', change, requester));
    await logIn(service, client, user);
    done(await deleteGroup(services(), id, false, requester));
    assert.deepEqual(await told(), []);
  });

  test('and a grant that was lost before stays out of it when access is lost again', async () => {
    const change = (way: 'allow' | 'disallow') =>
      changeAllowed(services(), client.id, way, { people: [user.email], groups: [] }, requester);
    done(await change('allow'));
    done(await updateClient(services(), client.id, { access: 'listed' }, requester));
    const first = await logIn(service, client, user);
    done(await change('disallow'));
    done(await change('allow'));
    const second = await logIn(service, client, user);
    done(await change('disallow'));
    assert.deepEqual(await told(), [first.sid, second.sid]);
  });
});

describe('nothing is sent', () => {
  const nothing = async () => assert.deepEqual(await messagesFor(service, client), []);

  test('when a session merely expires, and is swept', async () => {
    const { person } = await logIn(service, client, user);
    service.clock.advance(2 * DAY);
    assert.notEqual((await person.request('/account')).status, 200);
    assert.equal((await sweep(service, 'expired')).kind, 'swept');
    await nothing();
  });

  test('when the application revokes its own token', async () => {
    const { tokens } = await logIn(service, client, user);
    const credentials = { client_id: client.id, client_secret: client.secret };
    await fetch(`${service.url}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: tokens.refresh_token, ...credentials }),
    });
    await nothing();
  });

  test('when the whole application is revoked', async () => {
    const { person } = await logIn(service, client, user);
    done(await revokeClient(services(), client.id, requester));
    await signOut(person);
    await nothing();
  });

  test('for grants from before the application had the URI', async () => {
    const plain = await service.newClient();
    const { person } = await logIn(service, plain, user);
    done(await updateClient(services(), plain.id, { backchannelLogoutUri: receiver.url }, requester));
    await signOut(person);
    assert.deepEqual(await messagesFor(service, plain), []);
    const [row] = (await service.rows('grants')).filter((each) => each.client_id === plain.id);
    assert.equal(row?.session_id, null);
  });

  test('for grants that have expired', async () => {
    await logIn(service, client, user);
    service.clock.advance(31 * DAY);
    done(await disableUser(services(), user, requester));
    await nothing();
  });

  test('once somebody is asked and says no', async () => {
    const person = new Person(service);
    await person.signIn(user);
    const page = await person.visit(authorizePath(client, newVerifier()));
    await person.submit(await formIn(page, '/oauth-authorize/decision'), { decision: 'cancel' });
    await signOut(person);
    await nothing();
  });
});
