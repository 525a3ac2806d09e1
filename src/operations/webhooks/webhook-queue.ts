// Delivers webhook messages. They are in the store since the change that they report, so a crash loses none; a message is
// finished only when its endpoint has accepted it, so one may arrive twice. Any instance delivers, and a claim keeps two
// from delivering to the same endpoint: its messages go out one after the other, oldest first. One that fails steps aside
// until its next attempt, and the endpoint rests for some seconds before it gets the next one.

import type { Clock } from '../../platform/clock.ts';
import type { ServiceKeys } from '../../platform/keys.ts';
import type { SendResult, WebhookSender } from '../../platform/webhooks/sender.ts';
import { quoted } from '../../protocol/event.ts';
import { newId, type RandomBytes } from '../../protocol/identifiers.ts';
import { webhookBody } from '../../protocol/webhooks/messages.ts';
import { outageAfter, restAfter, retryAfter } from '../../protocol/webhooks/schedule.ts';
import { webhookSignature } from '../../protocol/webhooks/signing.ts';
import type {
  Storage,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookResult,
} from '../../storage/storage.ts';
import type { Journal } from '../journal/journal.ts';
import { sealPurpose } from '../seal-purposes.ts';

/** Longer than an attempt and its record can take. After that, another process may try. */
const claimFor = 10_000;
/** Endpoints at a time. Those that are failing can't take all the places. */
const places = { all: 32, failing: 16 };
/** How many messages are sent before another endpoint gets the place, and for how many milliseconds at most. */
const longestTurn = { messages: 50, duration: 5000 };
const longestResponse = 1000;
const noRequester = { address: '', requestId: '' };

export interface WebhookQueueParts {
  readonly sender: WebhookSender;
  readonly storage: Storage;
  readonly keys: ServiceKeys;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly journal: Journal;
}

export class WebhookQueue {
  readonly #parts: WebhookQueueParts;
  readonly #holder: string;
  /** What this process delivers now, and whether the endpoint was failing. */
  readonly #turns = new Map<Promise<void>, { readonly failing: boolean }>();
  #claiming: Promise<void> | undefined;
  #stopped = false;
  #aborted = false;
  /** Messages that were being delivered when the service stopped. */
  #unsent = 0;
  /** Called when something may be due at once. The service that delivers sets it. */
  wake: () => void = () => {};
  /** Called when an endpoint's turn ended with a fault of ours. */
  onFault: (error: Error) => void = () => {};
  /** Called when the result of an attempt is known, for whoever counts them. */
  onAttempt: (result: WebhookResult['kind'], attempt: WebhookAttempt) => void = () => {};
  /** Called when an endpoint has failed a few times in a row, and when it works again. */
  onOutage: (change: 'begins' | 'ends', endpoint: WebhookEndpoint, attempt: WebhookAttempt) => void = () => {};

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
    const turns = Promise.allSettled(this.#turns.keys());
    await Promise.race([turns, timeIsUp]);
    this.#aborted = true;
    this.#parts.sender.close();
    await turns;
    return this.#unsent;
  }

  async #claim(): Promise<void> {
    const { storage, clock } = this.#parts;
    const free = places.all - this.#turns.size;
    if (free <= 0 || !(await storage.webhooksAreDue(clock.now()))) return;
    const failing = [...this.#turns.values()].filter((turn) => turn.failing).length;
    const limits = { healthy: free, failing: Math.min(free, places.failing - failing) };
    for (const endpoint of await storage.claimWebhooks(clock.now(), this.#newClaim(), limits)) this.#begin(endpoint);
  }

  #newClaim() {
    return { holder: this.#holder, until: this.#parts.clock.now() + claimFor };
  }

  #begin(endpoint: WebhookEndpoint): void {
    const turn = this.#deliver(endpoint)
      // The claim ends by itself, and what wasn't recorded is sent again.
      .catch((error: Error) => this.onFault(error))
      .finally(() => {
        this.#turns.delete(turn);
        if (!this.#stopped) this.wake();
      });
    this.#turns.set(turn, { failing: endpoint.failures > 0 });
  }

  /** Sends what is due until an attempt fails. */
  async #deliver(endpoint: WebhookEndpoint): Promise<void> {
    const { storage, clock } = this.#parts;
    const secrets = await this.#secretsOf(endpoint);
    const due = await storage.listDueDeliveries(endpoint.id, clock.now(), longestTurn.messages);
    let { failures } = endpoint;
    let spent = 0;
    for (const delivery of due) {
      if (this.#stopped || spent >= longestTurn.duration) break;
      const { attempt, result } = await this.#attempt({ ...endpoint, failures }, delivery, secrets);
      if (this.#aborted && attempt.status === null) {
        // Nothing is recorded, because the endpoint hasn't failed.
        this.#unsent++;
        break;
      }
      spent += attempt.duration;
      this.onAttempt(result.kind, attempt);
      const isOurs = await storage.recordAttempt(delivery, attempt, result, this.#newClaim());
      if (result.kind === 'delivered' && result.recovered) this.onOutage('ends', endpoint, attempt);
      if (result.kind === 'postponed' && failures + 1 === outageAfter) this.onOutage('begins', endpoint, attempt);
      if (!isOurs || result.kind !== 'delivered') break;
      failures = 0;
      // What is due at once after an outage may be older than the rest of these.
      if (result.recovered) break;
    }
    await storage.releaseWebhook(endpoint.id, this.#holder);
  }

  async #attempt(
    endpoint: WebhookEndpoint,
    delivery: WebhookDelivery,
    secrets: readonly string[],
  ): Promise<{ attempt: WebhookAttempt; result: WebhookResult }> {
    const { sender, clock } = this.#parts;
    const body = webhookBody({ type: delivery.type, data: JSON.parse(delivery.data) }, delivery.at);
    const timestamp = Math.floor(clock.now() / 1000);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': delivery.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': webhookSignature(secrets, { id: delivery.id, timestamp, body }),
    };
    const sent: SendResult =
      secrets.length === 0
        ? { kind: 'failed', error: 'the secret was sealed with a key that this instance does not have', duration: 0 }
        : await sender.send(endpoint.url, headers, body);
    const attempt = {
      at: clock.now(),
      duration: Math.round(sent.duration),
      ...(sent.kind === 'answered'
        ? { status: sent.status, response: shown(sent.body), error: null }
        : { status: null, response: null, error: sent.error }),
    };
    return { attempt, result: this.#judge(endpoint, delivery, attempt) };
  }

  #judge(endpoint: WebhookEndpoint, delivery: WebhookDelivery, { at, status }: WebhookAttempt): WebhookResult {
    const { journal, random } = this.#parts;
    if (status !== null && status >= 200 && status < 300) {
      return { kind: 'delivered', recovered: endpoint.failures >= outageAfter };
    }
    if (status === 410) {
      const detail = { webhook: endpoint.id, reason: 'gone' };
      return { kind: 'gone', event: journal.event({ kind: 'webhook_disabled', detail }, noRequester) };
    }
    const restUntil = at + restAfter(endpoint.failures + 1);
    const chance = (random(1)[0] ?? 0) / 255;
    const delay = retryAfter(delivery.attempts + 1, chance);
    return delay === undefined ? { kind: 'given_up', restUntil } : { kind: 'postponed', until: at + delay, restUntil };
  }

  /** Those that are valid, the current one first. One that can't be opened is left out. */
  async #secretsOf({ id }: WebhookEndpoint): Promise<string[]> {
    const { storage, keys, clock } = this.#parts;
    const secrets = await storage.listWebhookSecrets(id);
    const now = clock.now();
    return secrets
      .filter(({ endsAt }) => endsAt === null || endsAt > now)
      .flatMap((secret) => keys.unseal(sealPurpose('webhook_secret', secret.id), secret.sealed) ?? []);
  }
}

/** The beginning of a response in its lines, without what could mislead whoever looks at it. */
function shown(text: string): string {
  const lines = text.slice(0, longestResponse).replaceAll('\t', ' ').split(/\r?\n/);
  return lines.map(quoted).join('\n');
}
