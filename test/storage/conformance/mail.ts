// Emails that wait to be sent, and what is stored together with them.

import assert from 'node:assert/strict';
import { DAY } from '../../../src/protocol/durations.ts';
import { briefRests, emailClaim, longestEmailWait } from '../../../src/protocol/mail-schedule.ts';
import { type Storage, StorageConflict } from '../../../src/storage/storage.ts';
import {
  aLink,
  anEvent,
  atOnce,
  hasEvent,
  later,
  longText,
  type Rule,
  start,
  storedLink,
  storedUser,
} from '../records.ts';

export function mailRules(rule: Rule): void {
  queueRules(rule);
  togetherRules(rule);
}

function queueRules(rule: Rule): void {
  const mail = (number: number) => ({
    id: `mail ${number}`,
    sealed: `${number} ${longText}`,
    createdAt: start + number,
  });
  const queue = async (storage: Storage, count: number) => {
    for (let number = 0; number < count; number++) await storage.queueEmail(mail(number));
  };
  const ids = (mails: readonly { id: string }[]) => mails.map(({ id }) => id).sort();

  rule('an email is due once it is queued, and claiming it counts as an attempt', async (storage) => {
    await queue(storage, 1);
    assert.deepEqual(await storage.listEmails(10), [{ ...mail(0), attempts: 0 }]);
    assert.deepEqual(await storage.claimEmails(start, later, 10), [{ ...mail(0), attempts: 1 }]);
    assert.deepEqual(await storage.claimEmails(later - 1, later, 10), [], 'it is claimed');
    assert.deepEqual(await storage.claimEmails(later, later + 1, 10), [{ ...mail(0), attempts: 2 }]);
  });

  rule('emails are counted, with the time of the oldest', async (storage) => {
    assert.deepEqual(await storage.countEmails(), { count: 0, oldestAt: undefined });
    await queue(storage, 3);
    assert.deepEqual(await storage.countEmails(), { count: 3, oldestAt: start });
    await storage.deleteEmail('mail 0');
    await storage.claimEmails(later, later + 1, 1);
    assert.deepEqual(await storage.countEmails(), { count: 2, oldestAt: start + 1 });
  });

  rule('the oldest emails are claimed first, up to the limit', async (storage) => {
    await queue(storage, 5);
    assert.deepEqual(ids(await storage.claimEmails(later, later + 1, 2)), ['mail 0', 'mail 1']);
    assert.deepEqual(ids(await storage.claimEmails(later, later + 1, 2)), ['mail 2', 'mail 3']);
    assert.deepEqual(ids(await storage.claimEmails(later, later + 1, 2)), ['mail 4']);
  });

  rule('concurrent claims get different emails', async (storage) => {
    await queue(storage, 30);
    const claimed: string[] = [];
    for (let round = 0; round < 30 && claimed.length < 30; round++) {
      const claims = Array.from({ length: atOnce }, () => storage.claimEmails(later, later + emailClaim, 3));
      claimed.push(...(await Promise.all(claims)).flatMap(ids));
    }
    assert.equal(claimed.length, 30);
    assert.equal(new Set(claimed).size, 30);
  });

  rule('of what a wrong clock has postponed, each email is claimed once', async (storage) => {
    await queue(storage, 30);
    await Promise.all(Array.from({ length: 30 }, (_, number) => storage.postponeEmail(`mail ${number}`, start + DAY)));
    const claimed: string[] = [];
    for (let round = 0; round < 60 && claimed.length < 30; round++) {
      const claims = Array.from({ length: atOnce }, async () => {
        await storage.hastenEmails(start, 3);
        return storage.claimEmails(start, start + emailClaim, 3);
      });
      claimed.push(...(await Promise.all(claims)).flatMap(ids));
    }
    assert.equal(claimed.length, 30);
    assert.equal(new Set(claimed).size, 30);
  });

  rule('a claim is renewed by whoever has it', async (storage) => {
    await queue(storage, 2);
    const [first, second] = [start + emailClaim, start + 2 * emailClaim];
    const [one, other] = await storage.claimEmails(start, first, 10);
    assert.ok(one && other);
    await storage.renewEmailClaims([one], second);
    assert.deepEqual(ids(await storage.claimEmails(first, second, 10)), [other.id]);
    await storage.renewEmailClaims([other], second + 1);
    const both = await storage.claimEmails(second, second + 1, 10);
    assert.deepEqual(ids(both), ids([one, other]), 'another process had claimed it meanwhile');
    await storage.renewEmailClaims([], second);
  });

  rule('a postponed email is due again later, and a dropped one never', async (storage) => {
    await queue(storage, 2);
    await storage.claimEmails(later, later + 1, 10);
    await storage.postponeEmail('mail 0', later + 500);
    await storage.deleteEmail('mail 1');
    await storage.deleteEmail('mail 1');
    assert.deepEqual(await storage.claimEmails(later + 499, later + DAY, 10), []);
    assert.deepEqual(await storage.claimEmails(later + 500, later + DAY, 10), [{ ...mail(0), attempts: 2 }]);
    await storage.postponeEmail('no such mail', later);
    assert.deepEqual(ids(await storage.listEmails(10)), ['mail 0']);
  });

  rule(
    'an email that was queued by a clock that was ahead is due, and as old as its first attempt',
    async (storage) => {
      await storage.queueEmail({ ...mail(0), createdAt: start + 60_000 });
      const [claimed] = await storage.claimEmails(start, start + emailClaim, 10);
      assert.deepEqual([claimed?.createdAt, claimed?.attempts], [start, 1]);
      assert.deepEqual(await storage.countEmails(), { count: 1, oldestAt: start });
      const [again] = await storage.claimEmails(start + DAY, start + DAY + emailClaim, 10);
      assert.equal(again?.createdAt, start);
    },
  );

  rule(
    'an email waits no longer than after its attempts, whatever the clock was that postponed it',
    async (storage) => {
      await queue(storage, 1);
      for (let attempts = 1; attempts <= briefRests + 1; attempts++) {
        assert.equal((await storage.claimEmails(start, start, 10)).length, 1);
        const longest = attempts > briefRests ? longestEmailWait.long : longestEmailWait.brief;
        await storage.postponeEmail('mail 0', start + longest);
        assert.equal(await storage.hastenEmails(start, 10), 0, `${attempts} attempts`);
        await storage.postponeEmail('mail 0', start + longest + 1);
        assert.deepEqual(await storage.claimEmails(start, later, 10), []);
        assert.equal(await storage.hastenEmails(start, 10), 1);
      }
      assert.equal((await storage.claimEmails(start, start, 10)).length, 1);
    },
  );

  rule(
    'of what waits for too long, some emails at a time are made due, those that wait longest first',
    async (storage) => {
      await queue(storage, 4);
      for (const number of [0, 1, 2]) await storage.postponeEmail(`mail ${number}`, start + DAY + number);
      const due = async () => ids(await storage.claimEmails(start, later, 10));
      assert.equal(await storage.hastenEmails(start, 2), 2);
      assert.deepEqual(await due(), ['mail 1', 'mail 2', 'mail 3']);
      assert.equal(await storage.hastenEmails(start, 2), 1);
      assert.deepEqual(await due(), ['mail 0']);
      assert.equal(await storage.hastenEmails(start, 2), 0);
    },
  );

  rule('emails are listed newest first, up to the limit', async (storage) => {
    await queue(storage, 3);
    assert.deepEqual(
      (await storage.listEmails(2)).map(({ id }) => id),
      ['mail 2', 'mail 1'],
    );
    await assert.rejects(storage.queueEmail(mail(1)), StorageConflict);
  });
}

function togetherRules(rule: Rule): void {
  rule('an email and its link are stored atomically', async (storage) => {
    const taken = await storedLink(storage);
    const [mail, link] = [{ id: 'mail', sealed: 'sealed', createdAt: start }, aLink()];
    await assert.rejects(
      storage.queueEmail(mail, aLink({ digest: taken.digest, data: { target: '/x' } })),
      StorageConflict,
    );
    assert.deepEqual(await storage.listEmails(10), []);
    assert.deepEqual(await storage.findLink(taken.digest, 'sign_up', start), taken);

    await storage.queueEmail(mail);
    await assert.rejects(storage.queueEmail(mail, link), StorageConflict);
    assert.equal(await storage.findLink(link.digest, 'sign_up', start), undefined);
    await storage.queueEmail({ ...mail, id: 'another' }, link);
    assert.deepEqual(await storage.findLink(link.digest, 'sign_up', start), link);
    assert.equal((await storage.listEmails(10)).length, 2);
  });

  rule('an email, its link and its event are stored atomically', async (storage) => {
    const user = await storedUser(storage);
    const mail = { id: 'mail', sealed: 'sealed', createdAt: start };
    const [link, event] = [aLink({ purpose: 'reset_password', userId: user.id }), anEvent()];
    const earlier = await storedLink(storage, { purpose: 'reset_password', userId: user.id });
    const taken = anEvent();
    await storage.appendEvents([taken]);
    await assert.rejects(storage.queueEmail(mail, link, { ...event, id: taken.id }), StorageConflict);
    assert.deepEqual(await storage.listEmails(10), []);
    assert.equal(await storage.findLink(link.digest, link.purpose, start), undefined);
    assert.deepEqual(await storage.findLink(earlier.digest, earlier.purpose, start), earlier);

    await storage.queueEmail(mail, link, event);
    assert.deepEqual(await storage.listEmails(10), [{ ...mail, attempts: 0 }]);
    assert.deepEqual(await storage.findLink(link.digest, link.purpose, start), link);
    assert.ok(await hasEvent(storage, event));

    const [alone, told] = [{ ...mail, id: 'another' }, anEvent()];
    await storage.queueEmail(alone, undefined, told);
    assert.equal((await storage.listEmails(10)).length, 2);
    assert.ok(await hasEvent(storage, told));
  });

  rule('of many answers to one email request exactly one replaces it, with its link', async (storage) => {
    const request = { id: 'mail', sealed: 'request', createdAt: start };
    await storage.queueEmail(request);
    const links = Array.from({ length: atOnce }, () => aLink());
    const answers = await Promise.all(
      links.map((link, index) => storage.answerEmailRequest(request, `answer ${index}`, link)),
    );
    const winner = answers.indexOf(true);
    assert.deepEqual(
      answers,
      links.map((_, index) => index === winner),
    );
    assert.deepEqual(await storage.listEmails(10), [{ ...request, sealed: `answer ${winner}`, attempts: 0 }]);
    const kept = await Promise.all(links.map(({ digest, purpose }) => storage.findLink(digest, purpose, start)));
    assert.deepEqual(
      kept.flatMap((link) => link ?? []),
      [links[winner]],
    );
  });

  rule('an answer with a link for a deleted user leaves the request unchanged', async (storage) => {
    const request = { id: 'mail', sealed: 'request', createdAt: start };
    await storage.queueEmail(request);
    const link = aLink({ purpose: 'reset_password', userId: 'nobody' });
    assert.equal(await storage.answerEmailRequest(request, 'answer', link), false);
    assert.deepEqual(await storage.listEmails(10), [{ ...request, attempts: 0 }]);
  });

  rule("an email with a link for a deleted user isn't stored", async (storage) => {
    const [link, event] = [aLink({ purpose: 'reset_password', userId: 'nobody' }), anEvent()];
    await storage.queueEmail({ id: 'mail', sealed: 'sealed', createdAt: start }, link, event);
    assert.deepEqual(await storage.listEmails(10), []);
    assert.equal(await hasEvent(storage, event), false);
  });
}
