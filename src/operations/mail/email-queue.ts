// Mails are kept in the store, sealed, and sent outside the request: sending delays no page, fails no page, and survives a
// restart. Any instance sends what is due; a claim keeps two from sending the same.

import type { Clock } from '../../platform/clock.ts';
import type { ServiceKeys } from '../../platform/keys.ts';
import type { EmailMessage, Mailer } from '../../platform/mailer.ts';
import type { EventRecord } from '../../protocol/event.ts';
import { newTimeOrderedId, type RandomBytes } from '../../protocol/identifiers.ts';
import type { Link, QueuedEmail, Storage } from '../../storage/storage.ts';
import type { Journal } from '../journal/journal.ts';

const MINUTE = 60 * 1000;
/** A mail that could not be sent for so long is given up: its link has expired. */
export const emailLifetime = 24 * 60 * MINUTE;
/** Long enough for one sending with its timeouts; afterwards another process may try. */
const claimFor = 2 * MINUTE;
const batchSize = 10;

/** Whether mail goes to a server, to a page for developers, or nowhere. */
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

const origin = { address: '', requestId: '' };

export class EmailQueue {
  readonly kind: EmailTransport;
  readonly #parts: EmailQueueParts;
  #sending: Promise<void> | undefined;
  /** Whether something may have been queued since the last claim. */
  #again = false;
  /** Set by the service that sends: told that there is something to do. */
  onQueued: () => void = () => {};

  constructor(parts: EmailQueueParts) {
    this.kind = parts.kind;
    this.#parts = parts;
  }

  /** Whether what depends on mail can be offered. */
  get works(): boolean {
    return this.kind !== 'none';
  }

  /** Together with the link that is in it, and the event that tells of it, if there are. */
  async queue(mail: EmailMessage, link?: Link, event?: EventRecord): Promise<void> {
    if (!this.works) return;
    const { storage, keys, clock, random } = this.#parts;
    const now = clock.now();
    const id = newTimeOrderedId(now, random);
    const sealed = keys.seal(`mail ${id}`, JSON.stringify(mail));
    await storage.queueEmail({ id, sealed, createdAt: now }, link, event);
    this.onQueued();
  }

  /** A notice of what has happened: that it cannot be kept does not undo it, and is no reason to tell the person so. */
  async notify(mail: EmailMessage): Promise<void> {
    await this.queue(mail).catch(() => {
      this.#parts.journal.note({ kind: 'mail_given_up', detail: { reason: 'not_kept', attempts: 0 } }, origin);
    });
  }

  /** Sends what is due. What fails is tried again later, less and less often. */
  async sendDue(): Promise<void> {
    if (this.#parts.mailer === undefined) return;
    this.#again = true;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  /** The newest mails that wait, to be read on the page for developers. */
  async list(limit: number): Promise<{ id: string; at: number; mail: EmailMessage }[]> {
    const waiting = await this.#parts.storage.listEmails(limit);
    return waiting.flatMap((entry) => {
      const mail = this.#open(entry);
      return mail === undefined ? [] : [{ id: entry.id, at: entry.createdAt, mail }];
    });
  }

  /** Waits for what is being sent: a mail that is taken and not noted would be sent again. */
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
    const mail = this.#open(entry);
    try {
      if (mail === undefined) throw Object.assign(new Error('sealed with another key'), { code: 'EUNREADABLE' });
      await mailer?.send(mail);
      await storage.deleteEmail(entry.id);
    } catch (error) {
      const now = clock.now();
      const givenUp = now - entry.createdAt > emailLifetime || mail === undefined || isRefusal(error);
      // The server's words may quote the address: the event names no one and keeps only the code.
      const reason = String((error as { code?: unknown }).code ?? 'unknown').slice(0, 40);
      journal.note(
        { kind: givenUp ? 'mail_given_up' : 'mail_delayed', detail: { reason, attempts: entry.attempts } },
        origin,
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

/** 5 s, 10 s, 20 s … at most an hour. */
function retryAfter(attempts: number): number {
  return Math.min(5000 * 2 ** (attempts - 1), 60 * MINUTE);
}

/** The server has said no, for good (a 5xx reply to the recipient or the content). */
function isRefusal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 500;
}
