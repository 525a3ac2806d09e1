// Everything that the service hands out and takes back, each offered in the place of others. The kinds come from the
// code, by their types: whoever adds one has to say here where it is accepted.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { CookieName } from '../../src/http/cookies.ts';
import {
  challengeTickets,
  emailCodeTicket,
  linkedChallengeTickets,
  provenTicket,
  secondStepTicket,
  sessionSetUpTicket,
  setUpTicket,
  signInTicket,
  verifyTicket,
} from '../../src/http/sign-in/sign-in-tickets.ts';
import type { TicketKind } from '../../src/http/visit.ts';
import { linkLifetimes } from '../../src/operations/email-links/links.ts';
import type { LinkedChallenge } from '../../src/operations/second-factors/first-passkey.ts';
import { type Challenge, newChallenge } from '../../src/operations/second-factors/passkey-challenge.ts';
import { sealAccount } from '../../src/operations/sign-in/remembered.ts';
import { offerKey } from '../../src/operations/sign-in/set-up-factor.ts';
import { startUpstream } from '../../src/operations/sign-in/upstreams/start.ts';
import { digestOf } from '../../src/protocol/digest.ts';
import { newId } from '../../src/protocol/identifiers.ts';
import { type SealKind, type StampPurpose, sealKinds, stampPurposes } from '../../src/protocol/purposes.ts';
import type { LinkPurpose } from '../../src/storage/storage.ts';
import { askableClient, askForm, askPath } from '../harness/access-requests.ts';
import { formTokenOf, signedIn } from '../harness/account.ts';
import { newKey } from '../harness/api.ts';
import { newestCode, newMailboxOwner, setPolicy, signInWithCode } from '../harness/email-codes.ts';
import { HostileUpstream } from '../harness/hostile-upstream.ts';
import { isReleaseLane } from '../harness/lane.ts';
import { keptLink } from '../harness/links.ts';
import { newHolder } from '../harness/passkeys.ts';
import { formIn, Person } from '../harness/person.ts';
import { proofAsked } from '../harness/proof.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  obtainCode,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../harness/relying-party.ts';
import { alignToStep, codeOf, newOwner, post, reachSecondStep } from '../harness/second-factors.ts';
import { startTestService, type TestClient, type TestService } from '../harness/service.ts';
import { SoftwareAuthenticator } from '../harness/software-authenticator.ts';
import { addUpstream, allowLoopbackUpstreams } from '../harness/upstreams.ts';
import { attack } from './attack.ts';

/** A language is no secret, and the round trips to upstreams are a kind of seal. */
type SecretCookie = Exclude<CookieName, 'language' | `upstream${string}`>;
const cookie: Record<SecretCookie, string> = {
  session: 'latchkey_session',
  browser: 'latchkey_browser',
  device: 'latchkey_device',
  held: 'latchkey_held',
  remembered: 'latchkey_remembered',
};
const password = 'a phrase of my own';

let service: TestService;
let client: TestClient;
let provider: HostileUpstream;

before(async () => {
  service = await startTestService({ ...allowLoopbackUpstreams, LATCHKEY_SIGN_UP: 'open' });
  await setPolicy(service, { email_codes: 'everyone' });
  client = await service.newClient({ postLogoutRedirectUris: ['http://localhost:9999/bye'] });
  provider = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider);
});
after(async () => {
  await service?.stop();
  await provider?.stop();
});

/** Of one kind: a value that was handed out, and whether the place for it accepts a value. */
interface Place {
  readonly value: string;
  accepts(value: string): Promise<boolean>;
}

/** What is encrypted in the store, or inside of something else that's stamped. Nobody can offer another value there. */
const storedKinds = [
  'authenticator',
  'mail',
  'webhook secret',
  'upstream secret',
  'secret states',
  'replacement hash',
  'deleted id key',
] as const;
type TravellingSeal = Exclude<SealKind, (typeof storedKinds)[number]>;
type Kind =
  | StampPurpose
  | TravellingSeal
  | `link: ${LinkPurpose}`
  | SecretCookie
  | 'code'
  | 'access token'
  | 'refresh token'
  | 'ID token'
  | 'sid'
  | 'client secret'
  | 'API key'
  | 'cursor';

const isOneOf = <T extends string>(all: readonly T[], value: string): value is T => all.some((each) => each === value);

/** The consent page's ticket may also choose another account; its form has both buttons. The cookie holds a held request. */
const intended = new Set([
  'decision at account-choice',
  'held request at held',
  'remembered account at remembered',
  'remembered at remembered account',
]);

attack(11, 'nothing that was made for one purpose is accepted for another', async (t) => {
  const { keys, storage } = service.running.services;
  // Otherwise a limit would soon refuse what only its purpose should.
  t.mock.method(storage, 'addFailures', async () => []);
  for (const made of stampPurposes) {
    const stamp = keys.stamp(made, 'holder', 'text');
    const accepted = stampPurposes.filter((purpose) => keys.verifyStamp(stamp, purpose, 'holder', 'text'));
    assert.deepEqual(accepted, [made]);
  }
  for (const made of sealKinds) {
    const sealed = keys.seal(`${made} id`, 'text');
    const accepted = sealKinds.filter((kind) => keys.unseal(`${kind} id`, sealed) !== undefined);
    assert.deepEqual(accepted, [made]);
    assert.equal(keys.unseal(`${made} other`, sealed), undefined);
  }

  const places = await findPlaces();
  const kinds = Object.keys(places) as Kind[];
  const expected = [...stampPurposes, ...sealKinds.filter((kind) => !isOneOf(storedKinds, kind))].length;
  assert.equal(kinds.length, expected + Object.keys(linkLifetimes).length + Object.keys(cookie).length + 8);
  const wrong: string[] = [];
  for (const [index, place] of kinds.entries()) {
    // Before a release, each in the place of every other; until then, some distances from its own place.
    const distances = [1, 2, 3, 5, 8, 13, 21];
    const some = distances.map((distance) => kinds[(index + distance) % kinds.length] ?? place);
    for (const kind of isReleaseLane ? kinds : some) {
      if (kind === place || intended.has(`${kind} at ${place}`)) continue;
      if (await places[place].accepts(places[kind].value)) wrong.push(`${kind} at ${place}`);
    }
  }
  assert.deepEqual(wrong, []);
  // Each place would have accepted its own. These come last: the others need the email address and the session.
  const last = ['link: change_email', 'challenge verify', 'logout'];
  const inOrder = kinds.toSorted((one, other) => last.indexOf(one) - last.indexOf(other));
  for (const kind of inOrder) assert.ok(await places[kind].accepts(places[kind].value), kind);
});

/** The challenge in a ticket for one, as a browser gets it. Anything else has none, and something is signed. */
function challengeIn(ticket: string) {
  const [encoded = ''] = ticket.split('.');
  const text = /"text":"([^"]+)"/.exec(Buffer.from(encoded, 'base64url').toString())?.[1] ?? 'none';
  return { options: { challenge: text }, challenge: ticket };
}

/** All of one browser and one session, so that it's the purpose alone that tells them apart. */
async function findPlaces(): Promise<Record<Kind, Place>> {
  const { services } = service.running;
  alignToStep(service);
  const owner = await newOwner(service);
  const { user, person: inSession, device } = await newHolder(service);
  const { user: undoing } = await newHolder(service);
  const lost = await service.newUser();
  await service.execute(`UPDATE users SET lost_factor_at = 1 WHERE id = '${lost.id}'`);
  const member = await service.newUser();
  const trusting = await reachSecondStep(service, owner.user);
  await trusting.person.submit(trusting.form, { code: codeOf(service, owner), trust: 'yes' });
  const mark = trusting.person.cookies.get(cookie.device) ?? '';

  await inSession.visit('/sign-in?password');
  const browserSecret = inSession.cookies.get(cookie.browser) ?? '';
  const session = inSession.cookies.get(cookie.session) ?? '';
  const asked = authorizePath(await service.newClient(), newVerifier());
  const decision = await formIn(await inSession.visit(asked), '/oauth-authorize/decision');
  const choice = await formIn(await inSession.visit(`${asked}&prompt=select_account`), '/oauth-authorize/account');
  const toAsk = await askForm(inSession, await askableClient(service));
  const logout = await formIn(await inSession.visit('/oauth/logout'), '/oauth/logout/confirm');
  const formToken = await formTokenOf(inSession);
  const mailbox = await newMailboxOwner(service);
  const { person: mailboxOwner } = await signInWithCode(service, mailbox.email);
  const mailboxToken = await formTokenOf(mailboxOwner);
  service.clock.advance(16 * 60);
  const proof = await proofAsked(await post(inSession, '/account/proof', { form_token: formToken }));
  const { tokens } = await obtainTokens(service, client, member);
  const fresh = await obtainCode(service, client, member);

  /** The same browser without the session. */
  const visitor = (cookies: Record<string, string> = {}) => {
    const person = new Person(service);
    for (const [name, value] of Object.entries({ [cookie.browser]: browserSecret, ...cookies })) {
      person.cookies.set(name, value);
    }
    return person;
  };
  const inside = () => visitor({ [cookie.session]: session });
  const send = async (person: Person, action: string, fields: Record<string, string>) =>
    (await person.request(action, { method: 'POST', body: new URLSearchParams(fields) })).status;
  const ticket = <Content>(kind: TicketKind<Content>, content: Content) => {
    const text = kind.write(content);
    const bound = digestOf(kind.boundTo === 'browser' ? browserSecret : session);
    return `${Buffer.from(text).toString('base64url')}.${services.keys.stamp(kind.purpose, bound, text)}`;
  };
  /** A form that has expired is 403; anything else means that its ticket was read. */
  const form = (value: string, field: string, action: string, person: () => Person, more = {}): Place => ({
    value,
    accepts: async (offered) => (await send(person(), action, { ...more, [field]: offered })) !== 403,
  });

  /** Without proof, so that it is what the challenge is for. The passkey signs what's offered. */
  const challenge = (
    kind: TicketKind<Challenge>,
    action: string,
    person: () => Person,
    fields: Record<string, string>,
  ): Place => ({
    value: ticket(kind, newChallenge(services)),
    async accepts(offered) {
      await noteProof(0);
      const answer = device.get(challengeIn(offered));
      return (await send(person(), action, { ...fields, answer, challenge: offered })) === 303;
    },
  });
  const recovered = await service.newUser();
  const inviting = await keptLink(service, 'invite', null, 'invited@example.test');
  const recovering = await keptLink(service, 'recover', recovered.id, recovered.email);
  /** A passkey that is created with a link. Whatever isn't its challenge uses nothing up. */
  const linked = (kind: TicketKind<LinkedChallenge>, action: string, secret: string, userId: string): Place => ({
    value: ticket(kind, { ...newChallenge(services), link: digestOf(secret), userId }),
    async accepts(offered) {
      const answer = new SoftwareAuthenticator(service.url).create(challengeIn(offered));
      return (await send(visitor(), action, { link: secret, name: 'New', answer, challenge: offered })) === 200;
    },
  });
  const noteProof = async (at: number) => {
    const found = await services.storage.findSession(digestOf(session), service.clock.now());
    if (found !== undefined) await services.storage.proveSession(found.session, found.user.sessionGeneration, at);
  };

  const destination = { kind: 'page', path: '/account' } as const;
  const pendingOf = ({ id, record }: { id: string; record: { sessionGeneration: number } }) => ({
    pending: { userId: id, sessionGeneration: record.sessionGeneration, at: service.clock.now() },
    destination,
    keep: false,
  });
  const asking = {
    asked: { email: member.email, nonce: 'x'.repeat(43), purpose: 'email_code' },
    destination,
    keep: false,
  } as const;
  const mailboxProof = await proofAsked(await post(mailboxOwner, '/account/proof', { form_token: mailboxToken }));
  const sentCode = await mailboxOwner.submit(mailboxProof, { send_code: 'yes' });
  const proofCode = (await formIn(sentCode, mailboxProof.action)).fields.asked ?? '';
  const key = offerKey(services, member.record);
  const newcomer = await service.newUser();
  const ownKey = offerKey(services, newcomer.record);
  const used = { name: 'company', issuer: provider.issuer, subject: 'x', email: null, authenticatedAt: 0 };
  const proven = { used, session: digestOf(session), at: service.clock.now() };
  const start = { purpose: 'sign_in', name: 'company', destination, keep: false, browser: browserSecret } as const;
  const sent = await startUpstream(services, start);
  assert.ok(sent.kind === 'redirect');
  const state = new URL(sent.url).searchParams.get('state') ?? '';
  const forSignIn = ticket(signInTicket, destination);
  const { id: keyId, headers } = await newKey(service);
  assert.ok(keyId);
  const apiKey = (headers('GET').Authorization ?? '').replace('Bearer ', '');
  const people = await fetch(`${service.url}/api/people?limit=1`, { headers: headers('GET') });
  const { data } = (await people.json()) as { data: { next_cursor: string } };
  const [header, payload = '', signature] = tokens.id_token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const { sid } = claims;
  const leaving = await signedIn(service, member);
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = async (parameters: Record<string, string>) =>
    (await postForm(service, '/oauth/token', parameters)).status === 200;

  const offersAccount = async (offered: string) => {
    const person = visitor({ [cookie.device]: mark, [cookie.remembered]: offered });
    return (await (await person.visit('/sign-in')).text()).includes(owner.user.email);
  };
  const remembered = { value: sealAccount(services, owner.user.id, mark), accepts: offersAccount };

  return {
    account: form(formToken, 'form_token', '/account/profile', inside, { name: 'Grace' }),
    'sign-in': form(forSignIn, 'continue', '/sign-in', visitor, { email: member.email, password: 'wrong password' }),
    'second-step': form(ticket(secondStepTicket, pendingOf(owner.user)), 'pending', '/sign-in/second-step', visitor),
    'set-up': form(ticket(setUpTicket, { ...pendingOf(member), key }), 'set_up', '/sign-in/set-up', visitor),
    'email-code': form(ticket(emailCodeTicket, asking), 'asked', '/sign-in/code', visitor, { code: 'ABCD-EFGH' }),
    'email-code-proof': {
      value: proofCode,
      async accepts(offered) {
        const fields = { ...mailboxProof.fields, asked: offered, email_code: await newestCode(service, mailbox.email) };
        const status = await send(mailboxOwner, mailboxProof.action, fields);
        return status === 303;
      },
    },
    verify: form(ticket(verifyTicket, destination), 'verify', '/sign-in/verify', inside),
    'session-set-up': form(
      ticket(sessionSetUpTicket, { key, destination }),
      'set_up',
      '/sign-in/verify/set-up',
      inside,
    ),
    'upstream-proof': form(ticket(provenTicket, { proven, destination }), 'proven', '/sign-in/proof', inside),
    decision: form(decision.fields.request ?? '', 'request', '/oauth-authorize/decision', inside, {
      decision: 'cancel',
    }),
    'account-choice': form(choice.fields.request ?? '', 'request', '/oauth-authorize/account', inside, {
      account: 'current',
    }),
    'access-request': form(toAsk.fields.request ?? '', 'request', askPath, inside),
    logout: form(logout.fields.request ?? '', 'request', '/oauth/logout/confirm', inside),
    'challenge sign-in': challenge(challengeTickets.signIn, '/sign-in/passkey', visitor, { continue: forSignIn }),
    'challenge second-step': challenge(challengeTickets.secondStep, '/sign-in/second-step', visitor, {
      pending: ticket(secondStepTicket, pendingOf(user)),
    }),
    'challenge verify': challenge(challengeTickets.verification, '/sign-in/verify', inside, {
      verify: ticket(verifyTicket, destination),
    }),
    'challenge proof': challenge(challengeTickets.proof, proof.action, inside, proof.fields),
    'challenge registration': {
      value: ticket(challengeTickets.registration, newChallenge(services)),
      async accepts(offered) {
        await noteProof(service.clock.now());
        const answer = new SoftwareAuthenticator(service.url).create(challengeIn(offered));
        const fields = { form_token: formToken, name: 'New', answer, challenge: offered };
        return (await send(inside(), '/account/passkeys', fields)) === 303;
      },
    },
    'challenge sign-up': linked(linkedChallengeTickets.signUp, '/invitation', inviting, newId(services.random)),
    'challenge reset': linked(linkedChallengeTickets.reset, '/recover', recovering, recovered.id),
    'challenge set-up': {
      value: ticket(linkedChallengeTickets.setUp, {
        ...newChallenge(services),
        link: digestOf(ownKey.sealedSecret),
        userId: newcomer.id,
      }),
      async accepts(offered) {
        const answer = new SoftwareAuthenticator(service.url).create(challengeIn(offered));
        const set_up = ticket(setUpTicket, { ...pendingOf(newcomer), key: ownKey });
        return (await send(visitor(), '/sign-in/set-up', { set_up, answer, challenge: offered })) === 200;
      },
    },
    'held request': form(proof.fields.held_request ?? '', 'held_request', proof.action, inside, {
      form_token: formToken,
    }),
    'typed secret': {
      value: services.keys.seal(
        `typed secret ${digestOf(session)} ${user.id} /admin/providers/company`,
        `${service.clock.now()}\na secret`,
      ),
      async accepts(offered) {
        await noteProof(service.clock.now());
        const version = String((await services.storage.findUpstream('company'))?.updatedAt);
        const fields = { form_token: formToken, version, fields: 'client_secret', sealed_secret: offered };
        // For this alone: with an administrator, there's nothing to set up.
        const setAdmin = (since: string) =>
          service.execute(`UPDATE users SET admin_since = ${since} WHERE id = '${user.id}'`);
        await setAdmin('1');
        const status = await send(inside(), '/admin/providers/company', fields);
        await setAdmin('NULL');
        return status === 303;
      },
    },
    undo: {
      value: services.keys.seal(
        `undo ${digestOf(session)} ${user.id} `,
        `${service.clock.now()}\n${JSON.stringify({ action: '/admin', entry: {}, who: 'Someone', from: 'Somewhere' })}`,
      ),
      async accepts(offered) {
        const setAdmin = (since: string) =>
          service.execute(`UPDATE users SET admin_since = ${since} WHERE id = '${user.id}'`);
        await setAdmin('1');
        const page = await (await inside().visit(`/admin?undo=${encodeURIComponent(offered)}`)).text();
        await setAdmin('NULL');
        return page.includes('Someone was removed from Somewhere');
      },
    },
    'upstream sign-in': {
      value: sent.sealed,
      async accepts(offered) {
        const person = visitor({ latchkey_upstream: offered });
        return (await person.request(`/sign-in/with/company/callback?state=${state}&code=x`)).status !== 400;
      },
    },

    'link: set_up': await link('set_up', null, '/set-up'),
    'link: invite': await link('invite', null, '/invitation'),
    'link: sign_up': await link('sign_up', null, '/sign-up/finish'),
    'link: reset_password': await link('reset_password', (await service.newUser()).id, '/reset-password/finish'),
    'link: recover': await link('recover', (await service.newUser()).id, '/recover'),
    'link: change_email': await link('change_email', user.id, '/account/email/confirm', inside, formToken),
    'link: set_up_factor': {
      value: await keptLink(service, 'set_up_factor', lost.id, lost.email),
      accepts: async (offered) =>
        (await visitor().visit(`/sign-in/set-up?link=${encodeURIComponent(offered)}`)).status === 200,
    },
    'link: undo_factor': await link('undo_factor', undoing.id, '/not-me'),

    session: {
      value: session,
      accepts: async (offered) => (await visitor({ [cookie.session]: offered }).request('/api/me')).status === 200,
    },
    browser: form2(browserSecret, (offered) => {
      const person = visitor({ [cookie.browser]: offered });
      return send(person, '/sign-in', { continue: forSignIn, email: member.email, password: 'wrong password' });
    }),
    device: {
      value: mark,
      async accepts(offered) {
        const person = visitor({ [cookie.device]: offered });
        const { email, password } = owner.user;
        return (await send(person, '/sign-in', { continue: forSignIn, email, password })) === 303;
      },
    },
    held: {
      value: heldCookie(proof.fields.held_request ?? ''),
      async accepts(offered) {
        await noteProof(service.clock.now());
        // Also where only the sealed part of the cookie is one of another kind.
        const statuses = [offered, heldCookie(offered)].map(async (value) => {
          const person = visitor({ [cookie.session]: session, [cookie.held]: value });
          return (await person.request('/account/proof/done')).status === 200;
        });
        return (await Promise.all(statuses)).includes(true);
      },
    },
    'remembered account': remembered,
    remembered,
    code: { value: fresh.code, accepts: (offered) => token(exchangeParameters(client, offered, fresh.verifier)) },
    'refresh token': { value: tokens.refresh_token, accepts: (offered) => token(refreshParameters(client, offered)) },
    'client secret': {
      value: client.secret,
      accepts: (secret) => token(refreshParameters({ ...client, secret }, tokens.refresh_token)),
    },
    'access token': {
      value: tokens.access_token,
      accepts: async (offered) => (await userinfo(service, offered)).status === 200,
    },
    'ID token': { value: tokens.id_token, accepts: isHint },
    sid: {
      value: sid,
      accepts: (offered) => isHint([header, encoded({ ...claims, sid: offered }), signature].join('.')),
    },
    'API key': {
      value: apiKey,
      async accepts(offered) {
        const authorization = { Authorization: `Bearer ${offered}` };
        return (await fetch(`${service.url}/api/people`, { headers: authorization })).status === 200;
      },
    },
    cursor: {
      value: data.next_cursor,
      async accepts(offered) {
        const url = `${service.url}/api/people?cursor=${encodeURIComponent(offered)}`;
        return (await fetch(url, { headers: headers('GET') })).status === 200;
      },
    },
  };

  /** A request that waits for somebody who proves at an upstream who they are. */
  function heldCookie(sealed: string): string {
    return `${Buffer.from(proof.action).toString('base64url')}.${sealed}`;
  }

  async function isHint(offered: string): Promise<boolean> {
    const back = { id_token_hint: offered, post_logout_redirect_uri: 'http://localhost:9999/bye' };
    return (await leaving.request(`/oauth/logout?${new URLSearchParams(back)}`)).status === 303;
  }

  function form2(value: string, post: (offered: string) => Promise<number>): Place {
    return { value, accepts: async (offered) => (await post(offered)) !== 403 };
  }

  /** A form with a link that has expired is 410, and one of another account's 403. */
  async function link(
    purpose: LinkPurpose,
    userId: string | null,
    action: string,
    person: () => Person = () => visitor(),
    token = '',
  ): Promise<Place> {
    const fields = { form_token: token, email: 'first@example.test', name: 'Ada', password };
    return {
      value: await keptLink(service, purpose, userId, `${purpose}@example.test`),
      accepts: async (offered) => ![403, 410].includes(await send(person(), action, { ...fields, link: offered })),
    };
  }
}
