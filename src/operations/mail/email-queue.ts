// Emails are kept sealed in the store and sent outside the request, so that a slow or broken mail server neither delays
// nor fails a page, and a restart loses nothing. Any instance sends what is due; a claim keeps two from sending the same.
//
// What anyone can request for any address is queued as a request, and becomes an email only when it is due: until the page
// has been sent, nothing happens that depends on whose address it is.
//
// An email is due, claimed and postponed by the clock of the store, so that an instance with a wrong one sends nothing twice and
// holds nothing back.

import type { Clock, StoreClock } from '../../platform/clock.ts';
import type { ServiceKeys } from '../../platform/keys.ts';
import type { Mailer } from '../../platform/mailer.ts';
import { MINUTE } from '../../protocol/durations.ts';
import type { EmailMessage } from '../../protocol/emails.ts';
import type { EventFacts, EventRecord, Requester } from '../../protocol/event.ts';
import { newTimeOrderedId, type RandomBytes } from '../../protocol/identifiers.ts';
import {
  concernsOneEmail,
  emailClaim,
  emailClaimRenewal,
  emailLifetime,
  emailRetryAfter,
  replyOf,
} from '../../protocol/mail-schedule.ts';
import { codeOf } from '../../protocol/reading/caught-errors.ts';
import type { CodePurpose, Link, NewEmail, QueuedEmail, Storage } from '../../storage/storage.ts';
import type { Journal } from '../journal/journal.ts';
import type { Meters } from '../meters.ts';
import { sealPurpose } from '../seal-purposes.ts';

const batchSize = 10;
/** What a wrong clock has postponed is looked for this often, and so many of them at a time. */
const hastening = { interval: MINUTE, atOnce: 100 };
/** More than the outbox page shows. */
const answeredAtOnce = 100;

/** Whether email goes to an SMTP server, to the outbox page for development, or nowhere. */
export type EmailTransport = 'smtp' | 'outbox' | 'none';

/** Of a code that signs a person in. */
export type SignInCodePurpose = Exclude<CodePurpose, 'proof_code'>;

/** An email that a person has requested for an address. What it says depends on whether the address has an account. */
export type EmailRequest = { readonly to: string; readonly requester: Requester } & (
  | { readonly kind: 'reset_password'; readonly target: string }
  /** With the ID of the link to sign up with, if they have one. */
  | { readonly kind: 'sign_up'; readonly target: string; readonly signUpLink?: string | undefined }
  /** The mark is that of the browser that asked, whose secret the code comes with. */
  | { readonly kind: 'email_code'; readonly mark: string; readonly purpose: SignInCodePurpose }
  /** The mark is that of the password when the user gave it: a later one ends the request. */
  | { readonly kind: 'change_email'; readonly userId: string; readonly sessionGeneration: number }
);

export interface EmailAnswer {
  /** Undefined when no email is sent. */
  readonly email: EmailMessage | undefined;
  readonly link?: Link;
  readonly event?: EventFacts;
}

export interface EmailQueueParts {
  readonly kind: EmailTransport;
  readonly mailer: Mailer | undefined;
  readonly storage: Storage;
  readonly keys: ServiceKeys;
  readonly clock: Clock;
  readonly storeClock: StoreClock;
  readonly random: RandomBytes;
  readonly journal: Journal;
  readonly meters: Pick<Meters, 'emailsQueued' | 'emailsSent' | 'emailsFailed'>;
  /** Finds out whose address it is, and composes the email. */
  answer(request: EmailRequest): Promise<EmailAnswer>;
}

type Content = { kind: 'email'; email: EmailMessage } | { kind: 'request'; request: EmailRequest };

const noRequester = { address: '', requestId: '' };

export class EmailQueue {
  readonly kind: EmailTransport;
  readonly #parts: EmailQueueParts;
  #sending: Promise<void> | undefined;
  /** What this process has claimed and is still answering or sending, and when it last said so, by its own clock. */
  readonly #claimed = new Set<QueuedEmail>();
  #claimedAt = 0;
  #hastenedAt = 0;
  /** Whether something may have been queued since the last claim. */
  #again = false;
  /** IDs of the newest entries that are emails by now. An entry never becomes a request again, so these needn't be opened. */
  #emails: ReadonlySet<string> = new Set();
  #aborted = false;
  /** Emails that were being sent when the service stopped. */
  #unsent = 0;
  /** Called when something was queued. The service that sends sets it. */
  onQueued: () => void = () => {};

  constructor(parts: EmailQueueParts) {
    this.kind = parts.kind;
    this.#parts = parts;
  }

  /** Whether features that need email can be offered. */
  get works(): boolean {
    return this.kind !== 'none';
  }

  /** Stores the email in one write with the link that it contains and the event about it, if given, unless storage refuses it. */
  queue(email: EmailMessage, link?: Link, event?: EventRecord): Promise<boolean> {
    return this.#store({ kind: 'email', email }, link, event);
  }

  /** Stores emails together with something else, if `store` does. It gets none where no email can be sent. */
  async queueWith(
    emails: readonly EmailMessage[],
    store: (queued: readonly NewEmail[]) => Promise<boolean>,
  ): Promise<boolean> {
    const queued = this.works ? emails.map((email) => this.#entry({ kind: 'email', email })) : [];
    if (!(await store(queued))) return false;
    this.#noteQueued(queued.length);
    return true;
  }

  /** Every address takes the same write, whether it has an account or not. */
  async queueRequest(request: EmailRequest): Promise<void> {
    await this.#store({ kind: 'request', request });
  }

  /**
   * For a notice about something that has already happened: failing to store the notice must not fail the request. Tells
   * whether the notice is going to be sent.
   */
  async notify(email: EmailMessage, link?: Link): Promise<boolean> {
    try {
      return await this.queue(email, link);
    } catch {
      this.#parts.journal.note({ kind: 'mail_given_up', detail: { reason: 'not_kept', attempts: 0 } }, noRequester);
      this.#parts.meters.emailsFailed.add({ result: 'given_up' });
      return false;
    }
  }

  /**
   * Answers requests, and sends what is due. What fails is retried later, with exponential backoff. While it's being sent, each
   * call renews the claims, so that only what a process no longer sends is taken by another one.
   */
  async sendDue(): Promise<void> {
    if (!this.works) return;
    this.#again = true;
    if (this.#sending !== undefined) await this.#renewClaims();
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      this.#claimed.clear();
    });
    return this.#sending;
  }

  async #renewClaims(): Promise<void> {
    const { storage, storeClock, clock } = this.#parts;
    const isRecent = Math.abs(clock.now() - this.#claimedAt) < emailClaimRenewal;
    if (this.#claimed.size === 0 || isRecent) return;
    const renewedAt = clock.now();
    const claimedUntil = (await storeClock.now()) + emailClaim;
    await storage.renewEmailClaims([...this.#claimed], claimedUntil);
    this.#claimedAt = renewedAt;
  }

  /** Turns the newest requests into emails without sending them. What is an email is opened once, however long it waits. */
  async answerRequests(): Promise<void> {
    const emails = new Set<string>();
    for (const entry of (await this.#parts.storage.listEmails(answeredAtOnce)).reverse()) {
      if (this.#emails.has(entry.id) || (await this.#becomesEmail(entry))) emails.add(entry.id);
    }
    this.#emails = emails;
  }

  async #becomesEmail(entry: QueuedEmail): Promise<boolean> {
    const content = this.#open(entry);
    if (content?.kind !== 'request') return content !== undefined;
    return (await this.#answer(entry, content.request)).kind === 'answered';
  }

  /** The newest emails that are waiting, for the outbox page. */
  async list(limit: number): Promise<{ id: string; at: number; email: EmailMessage }[]> {
    await this.answerRequests();
    const waiting = await this.#parts.storage.listEmails(limit);
    return waiting.flatMap((entry) => {
      const content = this.#open(entry);
      return content?.kind === 'email' ? [{ id: entry.id, at: entry.createdAt, email: content.email }] : [];
    });
  }

  /**
   * Waits for what is being answered and sent: an email that the server took but that is still in the store would be sent
   * again. But a mail server isn't waited for longer than that. Returns how many emails stay in the store because of it.
   */
  async close(timeIsUp = new Promise<void>(() => {})): Promise<number> {
    this.#again = false;
    const sending = this.#sending?.catch(() => {});
    await Promise.race([sending, timeIsUp]);
    this.#aborted = true;
    this.#parts.mailer?.close();
    await sending;
    return this.#unsent;
  }

  async #sendAll(): Promise<void> {
    const { storage, storeClock, clock, mailer } = this.#parts;
    while (this.#again) {
      this.#again = false;
      if (mailer === undefined) {
        await this.answerRequests();
        continue;
      }
      const now = await storeClock.now();
      await this.#hasten(now);
      this.#claimedAt = clock.now();
      const claimed = await storage.claimEmails(now, now + emailClaim, batchSize);
      for (const entry of claimed) this.#claimed.add(entry);
      // One request after the other, oldest first: of two links for one address, the one that was requested last works.
      const inOrder = claimed.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const ready: [QueuedEmail, EmailMessage][] = [];
      for (const entry of inOrder) {
        const email = await this.#prepare(entry);
        if (email !== undefined) ready.push([entry, email]);
        else this.#claimed.delete(entry);
      }
      await Promise.all(ready.map(([entry, email]) => this.#send(entry, email)));
      if (claimed.length === batchSize) this.#again = true;
    }
  }

  async #hasten(now: number): Promise<void> {
    const { storage, clock } = this.#parts;
    if (Math.abs(clock.now() - this.#hastenedAt) < hastening.interval) return;
    const hastened = await storage.hastenEmails(now, hastening.atOnce);
    if (hastened < hastening.atOnce) this.#hastenedAt = clock.now();
  }

  /** The email to send for an entry, if there is one now. */
  async #prepare(entry: QueuedEmail): Promise<EmailMessage | undefined> {
    const { storage } = this.#parts;
    const content = this.#open(entry);
    if (content?.kind === 'email') return content.email;
    try {
      if (content === undefined) throw Object.assign(new Error('sealed with another key'), { code: 'EUNREADABLE' });
      const answered = await this.#answer(entry, content.request);
      if (answered.kind === 'answered') return answered.email;
      await storage.postponeEmail(entry.id, 0);
      this.#again = true;
    } catch (error) {
      // An entry that can't be opened waits as well: after a rotation, another instance may have the new key already.
      await this.#fail(entry, error, false);
    }
    return undefined;
  }

  /** Replaces a request with the email that answers it. `outdated` means that it has to be looked at again. */
  async #answer(
    entry: QueuedEmail,
    request: EmailRequest,
  ): Promise<{ kind: 'answered'; email: EmailMessage | undefined } | { kind: 'outdated' }> {
    const { storage, journal } = this.#parts;
    const { email, link, event } = await this.#parts.answer(request);
    if (email === undefined) await storage.deleteEmail(entry.id);
    else if (!(await storage.answerEmailRequest(entry, this.#seal(entry.id, { kind: 'email', email }), link))) {
      return { kind: 'outdated' };
    }
    if (event !== undefined) journal.noteRateLimited(event, request.requester);
    return { kind: 'answered', email };
  }

  async #send(entry: QueuedEmail, email: EmailMessage): Promise<void> {
    try {
      await this.#parts.mailer?.send(email).finally(() => this.#claimed.delete(entry));
      this.#parts.meters.emailsSent.add({});
      await this.#parts.storage.deleteEmail(entry.id);
    } catch (error) {
      if (this.#aborted) await this.#release(entry);
      else await this.#fail(entry, error, isRefusal(error));
    }
  }

  /** Another process can send it at once. */
  async #release(entry: QueuedEmail): Promise<void> {
    this.#unsent++;
    await this.#parts.storage.postponeEmail(entry.id, 0);
  }

  /** Postpones the entry, or gives it up when trying again is pointless. */
  async #fail(entry: QueuedEmail, error: unknown, pointless: boolean): Promise<void> {
    const { storage, storeClock, journal, meters } = this.#parts;
    const now = await storeClock.now();
    const givenUp = now - entry.createdAt > emailLifetime || pointless;
    // Only the code goes into the event: the server's message may quote the recipient's address.
    const reason = (codeOf(error) ?? 'unknown').slice(0, 40);
    journal.note(
      { kind: givenUp ? 'mail_given_up' : 'mail_delayed', detail: { reason, attempts: entry.attempts } },
      noRequester,
    );
    meters.emailsFailed.add({ result: givenUp ? 'given_up' : 'delayed' });
    if (givenUp) await storage.deleteEmail(entry.id);
    else await storage.postponeEmail(entry.id, now + emailRetryAfter(entry.attempts));
  }

  async #store(content: Content, link?: Link, event?: EventRecord): Promise<boolean> {
    if (!this.works || !(await this.#parts.storage.queueEmail(this.#entry(content), link, event))) return false;
    this.#noteQueued(1);
    return true;
  }

  #entry(content: Content): NewEmail {
    const { clock, random } = this.#parts;
    const now = clock.now();
    const id = newTimeOrderedId(now, random);
    return { id, sealed: this.#seal(id, content), createdAt: now };
  }

  #noteQueued(count: number): void {
    if (count === 0) return;
    this.#parts.meters.emailsQueued.add({}, count);
    this.onQueued();
  }

  #seal(id: string, content: Content): string {
    const stored = content.kind === 'email' ? content.email : { request: content.request };
    return this.#parts.keys.seal(sealPurpose('email', id), JSON.stringify(stored));
  }

  /** Undefined when it was sealed with another key. */
  #open(entry: QueuedEmail): Content | undefined {
    const text = this.#parts.keys.unseal(sealPurpose('email', entry.id), entry.sealed);
    if (text === undefined) return undefined;
    const stored = JSON.parse(text) as EmailMessage | { request: EmailRequest };
    return 'request' in stored ? { kind: 'request', request: stored.request } : { kind: 'email', email: stored };
  }
}

/** A permanent refusal by the server: a 5xx reply to the recipient or the content. */
function isRefusal(error: unknown): boolean {
  return concernsOneEmail(error) && (replyOf(error) ?? 0) >= 500;
}
