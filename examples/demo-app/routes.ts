// What the application does at each path. Its requests to Latchkey are recorded for the inspector.

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { recordRedirect } from './authorization-redirect.ts';
import { equal } from './checks.ts';
import { type ExperimentName, redeem } from './experiments.ts';
import type { ExpiredCodes } from './expired-code.ts';
import { inspectorPath } from './html.ts';
import { visit } from './http-exchange.ts';
import { inspectorPage } from './inspector-view.ts';
import { type LatchkeyClient, SignInFailed } from './latchkey-client.ts';
import { failingStep, type Recording, type Recordings } from './recording.ts';
import { cancelled, steps } from './steps.ts';
import type { AppUser, KeptTokens, Store } from './store.ts';
import { homePage, welcomePage } from './views.ts';
import { cookie, redirect, sendPage, setCookie } from './web.ts';

export interface Application {
  readonly issuer: string;
  readonly gatedPageUrl: string | undefined;
  readonly secure: boolean;
  readonly latchkey: LatchkeyClient;
  readonly store: Store;
  readonly recordings: Recordings;
  readonly expiredCodes: ExpiredCodes;
}

export type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> | void;

const notices: Readonly<Record<string, string>> = {
  claims: 'Claims reloaded.',
  refreshed: 'Tokens refreshed. There’s a new access token; the refresh token stays the same.',
  ended: 'The application no longer has access. Sign in again.',
  'signed-out': 'You’re signed out, both here and at Latchkey, and the tokens are revoked.',
  'signed-out-here': 'You’re signed out here. You may still be signed in at Latchkey.',
};

export function routesOf(application: Application): Readonly<Record<string, Handler>> {
  const { issuer, gatedPageUrl, secure, latchkey, store, recordings, expiredCodes } = application;

  const currentUser = (request: IncomingMessage) => store.userOf(cookie(request, 'demo_session') ?? '');
  const currentRecording = (request: IncomingMessage) => recordings.find(cookie(request, 'demo_recording'));

  function newRecording(request: IncomingMessage, response: ServerResponse): Recording {
    recordings.forget(cookie(request, 'demo_recording'));
    const recording = recordings.start();
    setCookie(response, 'demo_recording', recording.id, 24 * 3600, secure);
    return recording;
  }

  function signInBy(experiment?: ExperimentName): Handler {
    return async (request, response, url) => {
      const recording = newRecording(request, response);
      const prompt = experiment === 'cancelled-consent' ? 'consent' : undefined;
      const begun = await latchkey.begin(recording, prompt);
      visit(request, response, url, steps.authorization, recording);
      await recordRedirect(begun.url, recording);
      recording.add(steps.atLatchkey);
      const pending = { ...begun.pending, ...(experiment && { experiment }) };
      setCookie(response, 'demo_pending', store.addPending(pending), 900, secure);
      redirect(response, begun.url);
    };
  }

  /**
   * Does something with the user's tokens and shows the outcome. A refusal means that the grant has ended or the token
   * has expired, so it isn't retried: the user has to sign in again.
   */
  function withTokens(
    work: (user: AppUser, tokens: KeptTokens, recording: Recording) => Promise<string | undefined>,
    jumpTo: 'failing' | 'first' = 'failing',
  ): Handler {
    return async (request, response, url) => {
      const recording = currentRecording(request) ?? newRecording(request, response);
      const next = (recording.steps.at(-1)?.number ?? 0) + 1;
      const user = currentUser(request);
      const tokens = user && store.tokensOf(user.sub);
      const done = user && tokens && (await work(user, tokens, recording).catch(distrust(user)));
      if (user !== undefined && done === undefined) store.signOut(user.sub);
      const inspecting = url.searchParams.get('from') === 'inspector';
      const anchor = (jumpTo === 'failing' ? failingStep(recording, next) : undefined) ?? `step-${next}`;
      redirect(response, inspecting ? inspectorPath(anchor) : `/?notice=${done ?? 'ended'}`);
    };
  }

  /** If a check fails, the tokens are dropped and the user is told. */
  function distrust(user: AppUser): (error: unknown) => never {
    return (error) => {
      if (error instanceof SignInFailed) store.signOut(user.sub);
      throw error;
    };
  }

  return {
    'GET /': (request, response, url) => {
      const user = currentUser(request);
      const named = url.searchParams.get('notice') ?? '';
      const notice = Object.hasOwn(notices, named) ? notices[named] : undefined;
      const recorded = currentRecording(request) !== undefined;
      sendPage(response, 200, user ? homePage(user, issuer, notice) : welcomePage(notice, recorded), issuer);
    },

    'GET /style.css': stylesheet(...designSystem, 'style.css'),
    'GET /inspector.css': stylesheet('inspector.css'),

    'GET /sign-in': signInBy(),

    'GET /callback': async (request, response, url) => {
      const pending = store.takePending(cookie(request, 'demo_pending') ?? '');
      if (pending === undefined)
        throw new SignInFailed('this sign-in wasn’t started in this browser, or was started too long ago');
      const recording = currentRecording(request) ?? newRecording(request, response);
      const step = visit(request, response, url, steps.callback, recording);
      try {
        const code = latchkey.readCallback(url.searchParams, pending, step);
        if (pending.experiment === 'expired-code') {
          expiredCodes.keep(recording, code, pending.codeVerifier);
          return redirect(response, '/experiments/expired-code');
        }
        const tokens = await redeem(latchkey, code, pending, recording);
        const sub = latchkey.identify(tokens, pending.nonce, recording);
        const claims = await latchkey.claims(tokens.accessToken, sub, recording);
        if (claims === undefined) throw new SignInFailed('access has already ended');
        store.saveUser({ sub, claims }, tokens);
        setCookie(response, 'demo_session', store.startSession(sub), 30 * 24 * 3600, secure);
      } catch (error) {
        if (!(error instanceof SignInFailed)) throw error;
        recording.failure = error.message;
        if (step.conclusion === cancelled) recording.experiment = pending.experiment;
        if (pending.experiment === undefined) throw error;
      }
      redirect(response, pending.experiment === undefined ? '/' : inspectorPath(failingStep(recording)));
    },

    'POST /claims': withTokens(async (user, tokens, recording) => {
      const claims = await latchkey.claims(tokens.accessToken, user.sub, recording);
      if (claims !== undefined) store.saveUser({ sub: user.sub, claims }, tokens);
      return claims === undefined ? undefined : 'claims';
    }),

    'POST /refresh': withTokens(async (user, tokens, recording) => {
      const fresh = await latchkey.refresh(tokens.refreshToken, user.sub, recording);
      if (fresh !== undefined) store.saveUser(user, fresh);
      return fresh === undefined ? undefined : 'refreshed';
    }),

    'POST /revoke': withTokens(async (user, tokens, recording) => {
      await latchkey.revoke(tokens.refreshToken, recording);
      // It's meant to be refused.
      await latchkey.claims(tokens.accessToken, user.sub, recording, steps.afterRevocation);
      return undefined;
    }, 'first'),

    'POST /sign-out': async (request, response, url) => {
      const user = currentUser(request);
      const tokens = user && store.tokensOf(user.sub);
      // The steps before go, with what they tell about the user: this browser may have another one next.
      const recording = newRecording(request, response);
      setCookie(response, 'demo_session', '', 0, secure);
      if (user !== undefined) store.signOut(user.sub);
      if (tokens !== undefined) await latchkey.revoke(tokens.refreshToken, recording).catch(() => {});
      const state = randomBytes(32).toString('base64url');
      setCookie(response, 'demo_sign_out', state, 900, secure);
      const next = await latchkey.signOutUrl(tokens?.idToken, state, recording).catch(() => undefined);
      visit(request, response, url, steps.signOut, recording);
      redirect(response, next ?? '/?notice=signed-out-here');
    },

    'GET /signed-out': (request, response, url) => {
      const recording = currentRecording(request) ?? newRecording(request, response);
      const step = visit(request, response, url, steps.signedOut, recording);
      const kept = cookie(request, 'demo_sign_out') ?? '';
      const check = equal('state', 'is the one stored for this browser', url.searchParams.get('state'), kept);
      step.checks = [check];
      setCookie(response, 'demo_sign_out', '', 0, secure);
      redirect(response, `/?notice=${check.ok ? 'signed-out' : 'signed-out-here'}`);
    },

    'GET /inspector': (request, response, url) => {
      const recording = currentRecording(request);
      const page = inspectorPage({
        recording,
        user: currentUser(request),
        latchkeyUrl: issuer,
        gatedPageUrl,
        secondsLeft: recording && expiredCodes.secondsLeft(recording),
        openAll: url.searchParams.get('open') === 'all',
      });
      // The forms of the experiments redirect to Latchkey.
      sendPage(response, 200, page, issuer);
    },

    'POST /forget': (request, response) => {
      recordings.forget(cookie(request, 'demo_recording'));
      setCookie(response, 'demo_recording', '', 0, secure);
      redirect(response, '/inspector');
    },

    'POST /experiments/wrong-verifier': signInBy('wrong-verifier'),
    'POST /experiments/replayed-code': signInBy('replayed-code'),
    'POST /experiments/cancelled-consent': signInBy('cancelled-consent'),
    'POST /experiments/expired-code': signInBy('expired-code'),

    'GET /experiments/expired-code': async (request, response) => {
      const recording = currentRecording(request);
      if (recording === undefined || expiredCodes.secondsLeft(recording) === undefined) {
        return redirect(response, '/inspector');
      }
      await expiredCodes.sendCountdown(response, latchkey, recording);
    },

    'POST /experiments/removed-application': withTokens(async (user, tokens, recording) => {
      // Forget an earlier failure: this is a new attempt.
      recording.failure = undefined;
      const fresh = await latchkey.refresh(tokens.refreshToken, user.sub, recording, steps.refreshAfterRemoval);
      if (fresh !== undefined) {
        store.saveUser(user, fresh);
        return 'refreshed';
      }
      recording.experiment = 'removed-application';
      await latchkey.claims(tokens.accessToken, user.sub, recording, steps.userinfoAfterRemoval);
      return undefined;
    }),
  };
}

/** Latchkey's own, so that the demo looks like what it shows. */
const designSystem = ['tokens', 'base', 'shell', 'controls', 'display'].map(
  (name) => `../../src/pages/assets/${name}.css`,
);

function stylesheet(...names: readonly string[]): Handler {
  const text = names.map((name) => readFileSync(new URL(name, import.meta.url), 'utf8')).join('\n');
  const headers = { 'Content-Type': 'text/css', 'X-Content-Type-Options': 'nosniff' };
  return (_request, response) => void response.writeHead(200, headers).end(text);
}
