// Links in emails: each works for its purpose, once, for a while, and only its digest is stored.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import { linkLifetimes } from '../../../src/operations/email-links/links.ts';
import { digestOf } from '../../../src/protocol/digest.ts';
import type { LinkPurpose } from '../../../src/storage/storage.ts';
import { formTokenOf, signedIn } from '../../harness/account.ts';
import { keptLink } from '../../harness/links.ts';
import { Person } from '../../harness/person.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { countedAnyway, name, newAddress, password } from '../../harness/sign-up.ts';
import { assertNothingChanged, everythingIn } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const SECOND = 1000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;

const service = serviceOfSuite({ LATCHKEY_SIGN_UP: 'open' });

// Emails are limited for a network: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * MINUTE));

/** The other one works until there's a second factor (imported-factors.test.ts). */
type UsedOnce = Exclude<LinkPurpose, 'set_up_factor'>;

describe('links', () => {
  const ways: Record<UsedOnce, { path: string; fields: Record<string, string> }> = {
    set_up: { path: '/set-up', fields: { email: 'first@admin.example', name, password } },
    invite: { path: '/invitation', fields: { name, password } },
    recover: { path: '/recover', fields: { password } },
    sign_up: { path: '/sign-up/finish', fields: { name, password } },
    reset_password: { path: '/reset-password/finish', fields: { password } },
    change_email: { path: '/account/email/confirm', fields: {} },
    undo_factor: { path: '/not-me', fields: {} },
  };
  const purposes = Object.keys(ways) as UsedOnce[];
  const ownerless = new Set<LinkPurpose>(['sign_up', 'invite', 'set_up']);

  const otherCase = (letter: string) => (/[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase());

  const working = async (purpose: UsedOnce, owner?: TestUser) => {
    const userId = ownerless.has(purpose) ? null : (owner ?? (await service.newUser())).id;
    return keptLink(service, purpose, userId, newAddress());
  };

  interface Visitor {
    readonly owner: TestUser;
    open(link: string): Promise<Response>;
    use(link: string): Promise<Response>;
  }

  /** Somebody who opens links of this purpose: in a new browser each, unless it needs a session of the account. */
  const visitorFor = async (purpose: UsedOnce): Promise<Visitor> => {
    const { path, fields } = ways[purpose];
    const owner = await service.newUser();
    const person = purpose === 'change_email' ? await signedIn(service, owner, { keep: 'yes' }) : undefined;
    const token = person === undefined ? {} : { form_token: await formTokenOf(person) };
    const browser = () => person ?? new Person(service);
    return {
      owner,
      open: (link) => browser().visit(`${path}?link=${encodeURIComponent(link)}`),
      use: (link) => browser().submit({ action: path, fields: { ...fields, ...token }, buttons: [] }, { link }),
    };
  };

  // Those for a new account have no person yet. Undoing a factor only takes something away, so it always works.
  const ofAccount = { recover: 410, reset_password: 410, change_email: 'sign-in', undo_factor: 200 } as const;
  for (const [purpose, expected] of Object.entries(ofAccount) as [keyof typeof ofAccount, string | number][]) {
    test(`${ways[purpose].path}, once access has ended or while the person is disabled: ${expected}`, async () => {
      const { storage, clock, journal } = service.running.services;
      const event = (userId: string) => journal.event({ kind: 'user_edited', userId }, requester);
      const stops = [
        async ({ id }: TestUser) => {
          await storage.changeUserEnd(id, clock.now() + MINUTE * SECOND, clock.now(), event(id));
          service.clock.advance(MINUTE);
        },
        ({ id }: TestUser) => storage.disableUser(id, clock.now(), event(id)),
      ];
      for (const stop of stops) {
        const visitor = await visitorFor(purpose);
        await stop(visitor.owner);
        const link = await working(purpose, visitor.owner);
        const hash = async () => (await storage.findUser(visitor.owner.id))?.passwordHash;
        const before = await hash();
        for (const way of [visitor.open, visitor.use]) {
          const { status, url } = await way(link);
          assert.equal(expected === 'sign-in' ? new URL(url).pathname.slice(1) : status, expected);
        }
        assert.equal(await hash(), before);
        if (purpose !== 'undo_factor') assert.ok(await storage.findLink(digestOf(link), purpose, clock.now()));
      }
    });
  }

  test('they work for 24 hours, invitations and undo links for 7 days, password resets for 30 minutes', () => {
    assert.deepEqual(linkLifetimes, {
      set_up: 24 * HOUR * SECOND,
      invite: 7 * 24 * HOUR * SECOND,
      recover: 24 * HOUR * SECOND,
      sign_up: 24 * HOUR * SECOND,
      change_email: 24 * HOUR * SECOND,
      reset_password: 30 * MINUTE * SECOND,
      set_up_factor: 30 * MINUTE * SECOND,
      undo_factor: 7 * 24 * HOUR * SECOND,
    });
  });

  for (const purpose of purposes) {
    const cases: { name: string; link: (visitor: Visitor) => Promise<string> }[] = [
      // First, because it moves the clock: the others must fail for another reason than their age.
      {
        name: 'a link that has expired',
        link: async ({ owner, open }) => {
          const link = await working(purpose, owner);
          service.clock.advance(linkLifetimes[purpose] / SECOND - 5);
          assert.equal((await open(link)).status, 200);
          service.clock.advance(5);
          return link;
        },
      },
      { name: 'no link', link: async () => '' },
      { name: 'what has not the form of a link', link: async () => "lkl_' OR 1=1" },
      { name: 'a forged link', link: async () => `lkl_${randomBytes(32).toString('base64url')}` },
      {
        name: 'a link in another case',
        link: async ({ owner }) => (await working(purpose, owner)).replace(/(?<=^lkl_.*)[a-z]/gi, otherCase),
      },
      ...purposes
        .filter((other) => other !== purpose)
        .map((other) => ({ name: `a link for ${other}`, link: () => working(other) })),
      {
        name: 'a link that was used',
        link: async ({ owner, use }) => {
          const link = await working(purpose, owner);
          // The page of a signed-in user, or the one that says it is done.
          assert.equal((await use(link)).status, 200);
          return link;
        },
      },
    ];
    test(`${ways[purpose].path} returns 410 for an invalid link and changes nothing`, async () => {
      const links: [string, string][] = [];
      const visitor = await visitorFor(purpose);
      for (const c of cases) links.push([c.name, await c.link(visitor)]);
      const before = await everythingIn(service, countedAnyway);
      for (const [name, link] of links) {
        const seen = await visitor.open(link);
        assert.equal(seen.status, 410, name);
        assert.match(await seen.text(), /This link has expired/);
        const used = await visitor.use(link);
        assert.equal(used.status, 410, name);
        assert.match(await used.text(), /This link has expired/);
      }
      await assertNothingChanged(service, before, countedAnyway);
    });
  }

  test("a form from another site doesn't use up a link", async () => {
    const links = await Promise.all(purposes.map((purpose) => working(purpose)));
    const before = await everythingIn(service, countedAnyway);
    for (const [index, purpose] of purposes.entries()) {
      const link = links[index] ?? '';
      const { path: action, fields } = ways[purpose];
      for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
        const foreign = await new Person(service).submit({ action, fields, buttons: [] }, { link }, headers as never);
        assert.equal(foreign.status, 403);
      }
    }
    await assertNothingChanged(service, before, countedAnyway);
  });

  test('only their digests are stored', async () => {
    const links = await Promise.all(purposes.map((purpose) => working(purpose)));
    const stored = (await everythingIn(service, countedAnyway)).join('\n');
    for (const link of links) assert.equal(stored.includes(link.slice(4)), false);
  });
});
