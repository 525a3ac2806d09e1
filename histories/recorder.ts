// Sends requests to a random instance each, and records when each began and ended and what came of it.

import type { Random } from '../faults/random.ts';
import type { Tally } from '../faults/tally.ts';
import { answered } from '../test/harness/ledger.ts';
import type { TestClient } from '../test/harness/service.ts';
import type { Action, Operation, Outcome } from './operation.ts';

/** What the requests go to. */
export interface Target {
  /** The address of every instance, or of whoever is in front of it. */
  readonly urls: readonly string[];
  readonly baseUrl: string;
  readonly client: TestClient;
  readonly apiKey: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What a response means for the operation; undefined when it's none that the operation can have. */
export type Reading<Found> = { readonly outcome: Outcome; readonly found?: Found } | undefined;

export class Recorder {
  readonly operations: Operation[] = [];
  readonly #target: Target;
  readonly #random: Random;
  readonly #unexpected: Tally;

  constructor(target: Target, random: Random, unexpected: Tally) {
    this.#target = target;
    this.#random = random;
    this.#unexpected = unexpected;
  }

  /** What was found is undefined unless the operation was done. */
  async record<Found>(
    action: Action,
    send: (url: string) => Promise<Reply>,
    read: (reply: Reply) => Reading<Found>,
  ): Promise<{ outcome: Outcome; found: Found | undefined }> {
    const url = this.#random.pick(this.#target.urls);
    const start = performance.now();
    const { response, outcome, found } = await answered(send(url)).then(
      (reply) => this.#read(action, reply, read),
      (error: Error) => ({ response: reasonOf(error), outcome: outcomeWithout(error), found: undefined }),
    );
    this.operations.push({ ...action, start, end: performance.now(), outcome, response, instance: new URL(url).port });
    return { outcome, found };
  }

  #read<Found>(action: Action, reply: Reply, read: (reply: Reply) => Reading<Found>) {
    const { status, text, headers } = reply;
    const response = [status, /"error_code":"(\w+)"/.exec(text)?.[1]].filter(Boolean).join(' ');
    if (status === 503) {
      if (!headers.has('retry-after')) this.#unexpected.broken('503 without Retry-After', () => action.kind);
      // The one promises that nothing was changed, the other says that it can't tell.
      const outcome: Outcome = text.includes('may have') ? 'unknown' : 'unchanged';
      return { response, outcome, found: undefined };
    }
    const reading = read(reply);
    if (reading === undefined) {
      const location = headers.get('location') ?? '';
      this.#unexpected.broken(`${action.kind}: ${response}`, () => `${location} ${text.slice(0, 300)}`);
    }
    return { response, outcome: reading?.outcome ?? 'unknown', found: reading?.found };
  }
}

export async function replyTo(sending: Promise<Response>): Promise<Reply> {
  const response = await sending;
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : message;
}

/** Nothing can have happened if nobody was listening. */
function outcomeWithout(error: Error): Outcome {
  return reasonOf(error) === 'ECONNREFUSED' ? 'unchanged' : 'unknown';
}
