// Accounts that are created one by one with the API, or imported in batches, and of which webhooks tell.

import { setTimeout as pause } from 'node:timers/promises';
import type { Received } from '../../test/harness/webhooks.ts';
import { Growing, missingAfter, type Site, type Work } from './work.ts';

const batchSize = 10;
/** Seconds. A process that was killed keeps an endpoint for ten, and what failed then is retried. */
const deliveryAllowed = 90;
/** The types of the messages that tell of them. */
export const accountMessages = ['user.created', 'users.imported'];

export class CreatedAccounts implements Work {
  readonly #site: Site;
  readonly #received: Growing<Received>;
  readonly #ids: string[] = [];
  readonly #unchecked = new Growing(this.#ids);
  readonly #told = new Set<string>();
  #number = 0;

  /** `received` is what the webhook's endpoint has received so far. */
  constructor(site: Site, received: readonly Received[]) {
    this.#site = site;
    this.#received = new Growing(received);
  }

  get checks() {
    return { 'accounts created': this.#ids.length, 'webhook messages': this.#told.size };
  }

  async once(): Promise<void> {
    const email = `created${++this.#number}@people.example`;
    const { id } = await this.#site.api('POST', '/api/people', 201, { email, name: 'Ada' });
    this.#ids.push(String(id));
    // Each of them gets an email, which codes would have to wait behind.
    await pause(100);
  }

  async check(all: boolean): Promise<readonly string[]> {
    const lost: string[] = [];
    for (const id of this.#unchecked.take(all)) {
      await this.#site.api('GET', `/api/people/${id}`, 200).catch((error) => lost.push(`an account: ${error}`));
    }
    return lost;
  }

  finish(): Promise<readonly string[]> {
    return missingAfter(deliveryAllowed, () => {
      for (const { body } of this.#received.take()) this.#told.add(JSON.parse(body).data.sub);
      return this.#ids.filter((id) => !this.#told.has(id)).map((id) => `a message about ${id}`);
    });
  }
}

interface Batch {
  readonly source: string;
  readonly people: readonly { readonly id: string; readonly email: string }[];
  acknowledged: boolean;
}

export class ImportedAccounts implements Work {
  readonly #site: Site;
  readonly #received: Growing<Received>;
  readonly #batches: Batch[] = [];
  readonly #unchecked = new Growing(this.#batches);
  readonly #told = new Set<string>();

  constructor(site: Site, received: readonly Received[]) {
    this.#site = site;
    this.#received = new Growing(received);
  }

  get checks() {
    return { 'people imported': this.#acknowledged.length * batchSize };
  }

  get #acknowledged(): readonly Batch[] {
    return this.#batches.filter(({ acknowledged }) => acknowledged);
  }

  async once(): Promise<void> {
    const number = this.#batches.length;
    const people = Array.from({ length: batchSize }, (_, index) => ({
      id: `imported-${number}-${index}`,
      email: `imported-${number}-${index}@people.example`,
    }));
    const batch: Batch = { source: `batch-${number}`, people, acknowledged: false };
    this.#batches.push(batch);
    const { imported } = await this.#send(batch);
    if (imported !== batchSize) throw new Error(`${imported} of a batch were imported`);
    batch.acknowledged = true;
    await pause(50);
  }

  #send({ source, people }: Batch): Promise<Record<string, unknown>> {
    return this.#site.api('POST', '/api/people/import', 200, { from: 'csv', source, people });
  }

  /** Of a batch that wasn't acknowledged, all or none are there. Sending it again imports the rest. */
  async check(all: boolean): Promise<readonly string[]> {
    const broken: string[] = [];
    for (const batch of this.#unchecked.take(all)) {
      const { already_imported: known } = await this.#send(batch);
      const isRight = known === batchSize || (!batch.acknowledged && known === 0);
      if (!isRight) broken.push(`${known} people of a batch that was${batch.acknowledged ? '' : "n't"} acknowledged`);
      batch.acknowledged = true;
    }
    return broken;
  }

  finish(): Promise<readonly string[]> {
    return missingAfter(deliveryAllowed, () => {
      for (const { body } of this.#received.take()) this.#told.add(JSON.parse(body).data.source);
      return this.#acknowledged
        .filter(({ source }) => !this.#told.has(source))
        .map(({ source }) => `a message about ${source}`);
    });
  }
}
