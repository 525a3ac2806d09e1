// Delivers webhook messages, and those of back-channel logout. They are in the store since the change that they report, so a
// crash loses none; a message is finished only when its endpoint has accepted it, so one may arrive twice. Any instance
// delivers, and a claim keeps two from delivering to the same endpoint: its messages go out one after the other, oldest first.
// One that fails steps aside until its next attempt, and the endpoint rests for some seconds before it gets the next one.

import type { StoreClock } from '../../platform/clock.ts';
import type { WebhookSender } from '../../platform/webhooks/sender.ts';
import { newId } from '../../protocol/identifiers.ts';
import { outageAfter, restAfter } from '../../protocol/webhooks/schedule.ts';
import type {
  ClaimedEndpoint,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookResult,
} from '../../storage/storage.ts';
import type { Journal } from '../journal/journal.ts';
import { type Channel, type ChannelParts, channelTo } from './channels.ts';

/** Longer than an attempt and its record can take. After that, another process may try. */
const claimFor = 10_000;
/** Endpoints at a time. Those that are failing can't take all the places. */
const places = { all: 32, failing: 16 };
/** How many messages are sent before another endpoint gets the place, and for how many milliseconds at most. */
const longestTurn = { messages: 50, duration: 5000 };
const noRequester = { address: '', requestId: '' };

export interface WebhookQueueParts extends ChannelParts {
  readonly sender: WebhookSender;
  readonly journal: Journal;
  readonly storeClock: StoreClock;
}

export class WebhookQueue {
  readonly #parts: WebhookQueueParts;
  readonly #holder: string;
  /** What this process delivers now: by the endpoint's ID its turn, and whether it was failing. */
  readonly #turns = new Map<string, { readonly ended: Promise<void>; readonly failing: boolean }>();
  #claiming: Promise<void> | undefined;
  /** Milliseconds. Claims are by the store's clock, so that an instance with a wrong one repeats no attempt of another. */
  #storeAhead = 0;
  #stopped = false;
  #aborted = false;
  /** Messages that were being delivered when the service stopped. */
  #unsent = 0;
  /** Called when something may be due at once. The service that delivers sets it. */
  wake: () => void = () => {};
  /** Called when an endpoint's turn ended with a fault of ours. */
  onFault: (error: Error) => void = () => {};
  /** Called when the result of an attempt is known, for code that counts them. */
  onAttempt: (result: WebhookResult['kind'], attempt: WebhookAttempt) => void = () => {};
  /** Called when an endpoint has failed a few times in a row, and when it works again. */
  onOutage: (change: 'begins' | 'ends', endpoint: ClaimedEndpoint, attempt: WebhookAttempt) => void = () => {};

  constructor(parts: WebhookQueueParts) {
    this.#parts = parts;
    this.#holder = newId(parts.random);
  }

  /** Why messages can't be sent to this URL, as far as that can be told without looking up its host. */
  urlProblem(url: URL): string | undefined {
    return this.#parts.sender.urlProblem(url);
  }

  /** Begins to deliver what is due, to as many endpoints as there are places. Doesn't wait for what it begins. */
  async sendDue(): Promise<void> {
    if (this.#stopped) return;
    this.#claiming ??= this.#claim().finally(() => {
      this.#claiming = undefined;
    });
    return this.#claiming;
  }

  /**
   * Waits for what is being delivered, and begins nothing else. But an endpoint isn't waited for longer than that. Returns
   * how many messages stay in the store because of it.
   */
  async close(timeIsUp = new Promise<void>(() => {})): Promise<number> {
    this.#stopped = true;
    await this.#claiming?.catch(() => {});
    const turns = Promise.allSettled([...this.#turns.values()].map(({ ended }) => ended));
    await Promise.race([turns, timeIsUp]);
    this.#aborted = true;
    this.#parts.sender.close();
    await turns;
    return this.#unsent;
  }

  async #claim(): Promise<void> {
    const { storage, clock, storeClock } = this.#parts;
    const free = places.all - this.#turns.size;
    if (free <= 0 || !(await storage.webhooksAreDue(clock.now()))) return;
    const failing = [...this.#turns.values()].filter((turn) => turn.failing).length;
    const limits = { healthy: free, failing: Math.min(free, places.failing - failing) };
    const storeNow = await storeClock.now();
    const now = clock.now();
    this.#storeAhead = storeNow - now;
    for (const endpoint of await storage.claimWebhooks(now, this.#newClaim(), limits, storeNow)) {
      // A turn that outlasted its claim has it again, and goes on: a second one would send the same messages.
      if (!this.#turns.has(endpoint.id)) this.#begin(endpoint);
    }
  }

  #newClaim() {
    return { holder: this.#holder, until: this.#parts.clock.now() + this.#storeAhead + claimFor };
  }

  #begin(endpoint: ClaimedEndpoint): void {
    const ended = this.#deliver(endpoint)
      // The claim ends by itself, and what wasn't recorded is sent again.
      .catch((error: Error) => this.onFault(error))
      .finally(() => {
        this.#turns.delete(endpoint.id);
        if (!this.#stopped) this.wake();
      });
    this.#turns.set(endpoint.id, { ended, failing: endpoint.failures > 0 });
  }

  /** Sends what is due until an attempt fails. */
  async #deliver(endpoint: ClaimedEndpoint): Promise<void> {
    const { storage, clock } = this.#parts;
    const due = await storage.listDueDeliveries(endpoint.id, clock.now(), longestTurn.messages);
    // Afterwards, so that nothing is signed with what its application had before.
    const channel = await channelTo(this.#parts, endpoint);
    let { failures } = endpoint;
    let spent = 0;
    for (const delivery of due) {
      if (this.#stopped || spent >= longestTurn.duration) break;
      const { attempt, result } = await this.#attempt({ ...endpoint, failures }, delivery, channel);
      if (this.#aborted && attempt.status === null) {
        // Nothing is recorded, because the endpoint hasn't failed.
        this.#unsent++;
        break;
      }
      spent += attempt.duration;
      this.onAttempt(result.kind, attempt);
      const isOurs = await storage.recordAttempt(delivery, attempt, result, this.#newClaim());
      const isUp = result.kind === 'delivered' || result.kind === 'rejected';
      if (isUp && result.recovered) this.onOutage('ends', endpoint, attempt);
      if ('restUntil' in result && result.restUntil === null) {
        if (delivery.attempts === 0) this.#noteWaiting(delivery);
        if (isOurs) continue;
        break;
      }
      if (result.kind === 'postponed' && failures + 1 === outageAfter) this.onOutage('begins', endpoint, attempt);
      if (!isOurs || !isUp) break;
      failures = 0;
      // What is due at once after an outage may be older than the rest of these.
      if (result.recovered) break;
    }
    await storage.releaseWebhook(endpoint.id, this.#holder);
  }

  /** Nothing could sign the message. */
  #noteWaiting({ userId, clientId }: WebhookDelivery): void {
    const about = { ...(userId !== null && { userId }), ...(clientId !== null && { clientId }) };
    this.#parts.journal.noteRateLimited({ kind: 'backchannel_logout_waiting', ...about }, noRequester);
  }

  async #attempt(
    endpoint: WebhookEndpoint,
    delivery: WebhookDelivery,
    channel: Channel,
  ): Promise<{ attempt: WebhookAttempt; result: WebhookResult }> {
    const { sender, clock } = this.#parts;
    const send = ({ headers, body }: ReturnType<Channel['compose']>) => sender.send(endpoint.url, headers, body);
    const sent = channel.problem === undefined ? await send(channel.compose(delivery)) : undefined;
    const attempt = {
      at: clock.now(),
      duration: Math.round(sent?.duration ?? 0),
      ...(sent?.kind === 'answered'
        ? { status: sent.status, response: channel.shown(sent.body), error: null }
        : { status: null, response: null, error: sent?.error ?? channel.problem ?? '' }),
    };
    return { attempt, result: this.#judge(endpoint, delivery, attempt, channel) };
  }

  #judge(
    endpoint: WebhookEndpoint,
    delivery: WebhookDelivery,
    { at, status }: WebhookAttempt,
    channel: Channel,
  ): WebhookResult {
    const { journal, random } = this.#parts;
    const recovered = endpoint.failures >= outageAfter;
    const verdict = channel.judge(status);
    switch (verdict) {
      case 'accepted':
        return { kind: 'delivered', recovered };
      case 'rejected':
        return { kind: 'rejected', recovered };
      case 'gone': {
        const detail = { webhook: endpoint.id, reason: 'gone' };
        return { kind: 'gone', event: journal.event({ kind: 'webhook_disabled', detail }, noRequester) };
      }
      case 'unsigned':
      case 'failed': {
        const restUntil = verdict === 'failed' ? at + restAfter(endpoint.failures + 1) : null;
        const chance = (random(1)[0] ?? 0) / 255;
        const delay = channel.retryAfter(delivery.attempts + 1, chance);
        return delay === undefined
          ? { kind: 'given_up', restUntil }
          : { kind: 'postponed', until: at + delay, restUntil };
      }
    }
  }
}
