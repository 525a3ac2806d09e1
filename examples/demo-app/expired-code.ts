// Keeps a code in memory until it has expired, and counts the seconds on a page. The page is streamed while the time
// passes, so it counts without JavaScript and without reloading.

import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectorPath, pageEnd, pageStart } from './html.ts';
import type { LatchkeyClient } from './latchkey-client.ts';
import { failingStep, type Recording } from './recording.ts';
import { steps } from './steps.ts';
import { startPage } from './web.ts';

interface WaitingCode {
  readonly code: string;
  readonly codeVerifier: string;
  readonly overAt: number;
}

export class ExpiredCodes {
  readonly #waiting = new WeakMap<Recording, WaitingCode>();
  readonly #seconds: number;

  /** How long to wait before the code is exchanged. */
  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  keep(recording: Recording, code: string, codeVerifier: string): void {
    this.#waiting.set(recording, { code, codeVerifier, overAt: Date.now() + this.#seconds * 1000 });
  }

  /** Undefined if no code is waiting. */
  secondsLeft(recording: Recording): number | undefined {
    const waiting = this.#waiting.get(recording);
    return waiting && Math.max(0, Math.ceil((waiting.overAt - Date.now()) / 1000));
  }

  /** Counts down, exchanges the expired code and ends the page. Leaving and coming back continues the countdown. */
  async sendCountdown(response: ServerResponse, latchkey: LatchkeyClient, recording: Recording): Promise<void> {
    startPage(response, countdownStart());
    for (let left = this.secondsLeft(recording); left; left = this.secondsLeft(recording)) {
      response.write(`<span>${left} ${left === 1 ? 'second' : 'seconds'} left</span>\n`);
      await sleep(1000);
      if (response.destroyed) return;
    }
    const waiting = this.#waiting.get(recording);
    // Only the first of several open pages exchanges the code.
    this.#waiting.delete(recording);
    if (waiting !== undefined) await exchangeLate(latchkey, waiting, recording);
    response.end(countdownEnd(failingStep(recording)));
  }
}

async function exchangeLate(latchkey: LatchkeyClient, waiting: WaitingCode, recording: Recording): Promise<void> {
  try {
    const tokens = await latchkey.exchange(waiting.code, waiting.codeVerifier, recording, steps.lateExchange);
    if (tokens !== undefined) return await latchkey.revoke(tokens.refreshToken, recording);
    recording.failure = 'the code was refused';
    recording.experiment = 'expired-code';
  } catch {
    // The step already records that there was no response.
  }
}

function countdownStart(): string {
  return `${pageStart('Waiting for the code to expire', { inspector: true })}
    <h1>Waiting for the code to expire</h1>
    <p>The application has a code and isn't using it yet. A code is valid for 60 seconds. After that, the application tries
      to exchange it.</p>
    <p class="quiet">This page updates by itself. You can leave it and come back from the
      <a href="/inspector">steps so far</a>.</p>
    <p class="countdown" role="timer">`;
}

function countdownEnd(anchor: string | undefined): string {
  return `<span>Time's up</span></p>
    <p role="status">The application has tried to exchange the code.</p>
    <p><a class="button primary" href="${inspectorPath(anchor)}">See what happened</a></p>
    ${pageEnd}`;
}
