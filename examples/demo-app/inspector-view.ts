// The page of the inspector: every recorded step, what to do next, and the experiments.

import { type ExperimentName, experiments } from './experiments.ts';
import { escapeText, pageEnd, pageStart } from './html.ts';
import { failingStep, hasFailed, type Recording } from './recording.ts';
import { stepView } from './step-view.ts';
import type { AppUser } from './store.ts';

export interface InspectorState {
  readonly recording: Recording | undefined;
  readonly user: AppUser | undefined;
  readonly latchkeyUrl: string;
  /** A page without sign-in code, behind Latchkey's gate. */
  readonly gatedPageUrl: string | undefined;
  /** Until the waiting code has expired; undefined if there is none. */
  readonly secondsLeft: number | undefined;
  readonly openAll: boolean;
}

export function inspectorPage(state: InspectorState): string {
  return `${pageStart('What happened', { inspector: true, broad: true })}
    <p class="quiet"><a href="/">Demo application</a></p>
    <h1>What happened</h1>
    ${summary(state)}
    <p class="jump">Jump to: <a href="#next">What you can do next</a> <a href="#wrong">Try what can go wrong</a></p>
    <div class="columns">
    <section aria-labelledby="steps">${stepList(state)}</section>
    <div class="side">${nextActions(state)}${tries(state)}${gatedPage(state)}</div>
    </div>${pageEnd}`;
}

function summary({ recording, user, secondsLeft }: InspectorState): string {
  const tried = recording?.experiment && experiments[recording.experiment];
  const failure = recording?.failure;
  const failing = recording && failingStep(recording);
  const jump = failing === undefined ? '' : ` <a href="#${failing}">Go to the failing step</a>`;
  return `
    ${failure === undefined ? '' : `<p class="alert" role="alert">Sign-in failed: ${escapeText(failure)}.${jump}</p>`}
    ${secondsLeft === undefined ? '' : `<p class="notice" role="status">A code is waiting to expire. <a href="/experiments/expired-code">Back to the countdown</a></p>`}
    ${tried === undefined ? '' : `<p class="notice"><strong>${tried.title}.</strong> ${escapeText(tried.lesson)}</p>`}
    <p>${whoIsSignedIn(user, failure !== undefined)} ${recording === undefined ? '' : truth}</p>`;
}

const truth =
  'Everything below is what was actually sent and received. Secrets are masked, and the recording is only kept in memory.';

function whoIsSignedIn(user: AppUser | undefined, fromBefore: boolean): string {
  if (user === undefined) return 'You’re not signed in to the demo application.';
  const name = escapeText(String(user.claims.name ?? user.claims.email ?? 'you'));
  return `You’re ${fromBefore ? 'still ' : ''}signed in to the demo application as ${name}${fromBefore ? ', from an earlier sign-in' : ''}.`;
}

function stepList({ recording, openAll }: InspectorState): string {
  const [first] = recording?.steps ?? [];
  if (recording === undefined || first === undefined) {
    return `<h2 id="steps">Step by step</h2>
      <p>No steps recorded yet. <a href="/sign-in">Sign in with Latchkey</a> to see each one.</p>`;
  }
  const shown = recording.steps.filter((step) => openAll || !step.detail || hasFailed(step));
  return `<div class="title"><h2 id="steps">Step by step</h2>
      <p><a href="/inspector${openAll ? '' : '?open=all'}">${openAll ? 'Show less' : 'Show everything'}</a></p></div>
    <ol class="steps" start="${first.number}">
    ${shown.map((step) => stepView(step, first.at, openAll)).join('\n')}
    </ol>`;
}

function nextActions({ user, recording }: InspectorState): string {
  const forget = recording === undefined ? '' : '<button formaction="/forget">Clear steps</button>';
  return `<section aria-labelledby="next"><h2 id="next">What you can do next</h2>
    <form method="post" class="actions">${
      user === undefined
        ? `<a class="button primary" href="/sign-in">Sign in with Latchkey</a>`
        : `<button formaction="/refresh?from=inspector">Refresh tokens</button>
      <button formaction="/claims?from=inspector">Reload claims</button>
      <button formaction="/revoke?from=inspector">Revoke tokens</button>
      <button formaction="/sign-out">Sign out</button>`
    } ${forget}</form></section>`;
}

function tries({ user, latchkeyUrl }: InspectorState): string {
  const names = Object.keys(experiments) as ExperimentName[];
  const items = names.map((name) => {
    const { title, what } = experiments[name];
    if (name !== 'removed-application') {
      return `<li><button formaction="/experiments/${name}" aria-describedby="about-${name}">${title}</button>
        <p id="about-${name}">${escapeText(what)}</p></li>`;
    }
    return `<li><h3>${title}</h3><p>${escapeText(what)} ${
      user === undefined
        ? 'Sign in first.'
        : `Remove it under <a href="${escapeText(latchkeyUrl)}/account/apps" target="_blank" rel="noopener">Connected
          apps</a> (opens in a new tab), then come back.`
    }</p>${user === undefined ? '' : `<p><button formaction="/experiments/${name}?from=inspector">I’ve removed it</button></p>`}</li>`;
  });
  return `<section aria-labelledby="wrong"><h2 id="wrong">Try what can go wrong</h2>
    <form method="post"><ul class="tries">${items.join('\n')}</ul></form></section>`;
}

function gatedPage({ gatedPageUrl }: InspectorState): string {
  if (gatedPageUrl === undefined) return '';
  return `<section aria-labelledby="gated"><h2 id="gated">Without any of this code</h2>
    <p>An application that has no sign-in can stay as it is. <a href="${escapeText(gatedPageUrl)}">Open a page behind Latchkey’s gate</a>:
      a proxy asks the gate who you are before it lets you through.</p></section>`;
}
