// Emails are kept sealed in the store and sent outside the request, so that a slow or broken mail server neither delays
// nor fails a page, and a restart loses nothing. Any instance sends what is due; a claim keeps two from sending the same.

import type { Clock } from '../../platform/clock.ts';
import type { ServiceKeys } from '../../platform/keys.ts';
import type { EmailMessage, Mailer } from '../../platform/mailer.ts';
import type { EventRecord } from '../../protocol/event.ts';
import { newTimeOrderedId, type RandomBytes } from '../../protocol/identifiers.ts';
import type { Link, QueuedEmail, Storage } from '../../storage/storage.ts';
import type { Journal } from '../journal/journal.ts';

const MINUTE = 60 * 1000;
/** An email that couldn't be sent for this long is given up: its link has expired by then. */
export const emailLifetime = 24 * 60 * MINUTE;
/** Longer than one attempt can take with its timeouts. After that, another process may try. */
const claimFor = 2 * MINUTE;
const batchSize = 10;

/** Whether email goes to an SMTP server, to the outbox page for development, or nowhere. */
export type EmailTransport = 'smtp' | 'outbox' | 'none';

export interface EmailQueueParts {
  readonly kind: EmailTransport;
  readonly mailer: Mailer | undefined;
  readonly storage: Storage;
  readonly keys: ServiceKeys;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly journal: Journal;
}

const noOrigin = { address: '', requestId: '' };

export class EmailQueue {
  readonly kind: EmailTransport;
  readonly #parts: EmailQueueParts;
  #sending: Promise<void> | undefined;
  /** Whether something may have been queued since the last claim. */
  #again = false;
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

  /** Stores the email in one write with the link that it contains and the event about it, if given. */
  async queue(email: EmailMessage, link?: Link, event?: EventRecord): Promise<void> {
    if (!this.works) return;
    const { storage, keys, clock, random } = this.#parts;
    const now = clock.now();
    const id = newTimeOrderedId(now, random);
    const sealed = keys.seal(`mail ${id}`, JSON.stringify(email));
    await storage.queueEmail({ id, sealed, createdAt: now }, link, event);
    this.onQueued();
  }

  /** For a notice about something that has already happened: failing to store the notice must not fail the request. */
  async notify(email: EmailMessage, link?: Link): Promise<void> {
    await this.queue(email, link).catch(() => {
      this.#parts.journal.note({ kind: 'mail_given_up', detail: { reason: 'not_kept', attempts: 0 } }, noOrigin);
    });
  }

  /** Sends what is due. What fails is retried later, with exponential backoff. */
  async sendDue(): Promise<void> {
    if (this.#parts.mailer === undefined) return;
    this.#again = true;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  /** The newest emails that are waiting, for the outbox page. */
  async list(limit: number): Promise<{ id: string; at: number; email: EmailMessage }[]> {
    const waiting = await this.#parts.storage.listEmails(limit);
    return waiting.flatMap((entry) => {
      const email = this.#open(entry);
      return email === undefined ? [] : [{ id: entry.id, at: entry.createdAt, email }];
    });
  }

  /** Waits for what is being sent: an email that the server took but that is still in the store would be sent again. */
  async close(): Promise<void> {
    this.#again = false;
    await this.#sending?.catch(() => {});
    this.#parts.mailer?.close();
  }

  async #sendAll(): Promise<void> {
    const { storage, clock } = this.#parts;
    while (this.#again) {
      this.#again = false;
      const now = clock.now();
      const claimed = await storage.claimEmails(now, now + claimFor, batchSize);
      await Promise.all(claimed.map((entry) => this.#send(entry)));
      if (claimed.length === batchSize) this.#again = true;
    }
  }

  async #send(entry: QueuedEmail): Promise<void> {
    const { storage, clock, journal, mailer } = this.#parts;
    const email = this.#open(entry);
    try {
      if (email === undefined) throw Object.assign(new Error('sealed with another key'), { code: 'EUNREADABLE' });
      await mailer?.send(email);
      await storage.deleteEmail(entry.id);
    } catch (error) {
      const now = clock.now();
      const givenUp = now - entry.createdAt > emailLifetime || email === undefined || isRefusal(error);
      // Only the code goes into the event: the server's message may quote the recipient's address.
      const reason = String((error as { code?: unknown }).code ?? 'unknown').slice(0, 40);
      journal.note(
        { kind: givenUp ? 'mail_given_up' : 'mail_delayed', detail: { reason, attempts: entry.attempts } },
        noOrigin,
      );
      if (givenUp) await storage.deleteEmail(entry.id);
      else await storage.postponeEmail(entry.id, now + retryAfter(entry.attempts));
    }
  }

  #open(entry: QueuedEmail): EmailMessage | undefined {
    const text = this.#parts.keys.unseal(`mail ${entry.id}`, entry.sealed);
    return text === undefined ? undefined : (JSON.parse(text) as EmailMessage);
  }
}

/** 5 s, 10 s, 20 s and so on, at most an hour. */
function retryAfter(attempts: number): number {
  return Math.min(5000 * 2 ** (attempts - 1), 60 * MINUTE);
}

/** A permanent refusal by the server: a 5xx reply to the recipient or the content. */
function isRefusal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 500;
}
