// GET /gate/check: may this request pass, and whose is it?

import type { IncomingMessage } from 'node:http';
import { readCookie } from '../platform/relying-party/cookies.ts';
import type { GateApplication } from './config-file.ts';
import { type GateContext, signInPath, signOutPath } from './context.ts';
import { identityHeaders } from './identity.ts';
import { cookieAt, type OriginalRequest, originalRequest } from './original-request.ts';
import type { GatePage } from './pages/page.ts';
import { statusOf } from './pages/render.ts';
import { type PathRules, rulesFor, satisfies } from './paths.ts';
import { emptyResponse, type GateResponse, pageResponse, textResponse } from './responses.ts';
import type { Current } from './sessions.ts';
import { safeTarget } from './sign-in.ts';

/** At once if Latchkey doesn't have to be asked. */
export function check(context: GateContext, request: IncomingMessage): GateResponse | Promise<GateResponse> {
  const original = originalRequest(request);
  if (original === undefined) {
    context.meters.checked('refused');
    context.notice('headers', 'the proxy must send X-Forwarded-Method, -Uri, -Host and -Proto, each once');
    return textResponse(403, "The proxy doesn't say which request this is about.");
  }
  const application = context.applications.get(original.host);
  if (application === undefined) {
    context.meters.checked('refused');
    context.notice('host', `no application has the host ${original.host}`);
    return refusal(request, original, undefined, { kind: 'unknown_host', host: original.host });
  }
  const rules = rulesFor(original.uri.split('?', 1)[0] ?? '', application);
  if (original.isInsecure) {
    context.meters.checked('refused');
    return refusal(request, original, rules, { kind: 'insecure', host: original.host });
  }
  const answer = (current: Current) => answerFor({ context, request, original, application, rules, current });
  const current = context.sessions.current(readCookie(request, cookieAt(original, 'session')), application);
  return current instanceof Promise ? current.then(answer) : answer(current);
}

interface Checked {
  readonly context: GateContext;
  readonly request: IncomingMessage;
  readonly original: OriginalRequest;
  readonly application: GateApplication;
  readonly rules: PathRules;
  readonly current: Current;
}

function answerFor({ context, request, original, application, rules, current }: Checked): GateResponse {
  const { checked } = context.meters;
  if (current.kind === 'signed_in' && satisfies(current.session.facts.claims, rules.require)) {
    checked('signed_in');
    return current.session.passes;
  }
  if (rules.open) {
    checked('open');
    return emptyResponse(200, identityHeaders(application.headers, {}));
  }
  // A proxy that gets a longer header than it has room for would fail.
  const to = `to=${encodeURIComponent(safeTarget(original.uri))}`;
  if (current.kind === 'signed_in') {
    checked('forbidden');
    const { account } = current.session;
    const otherAccount = `${signInPath}?${to}&account=other`;
    return refusal(request, original, rules, { kind: 'forbidden', account, otherAccount, signOut: signOutPath });
  }
  if (current.kind === 'unknown') {
    checked('unavailable');
    return refusal(request, original, rules, { kind: 'unavailable', retry: original.uri });
  }
  checked('signed_out');
  if (!isBrowser(request, original, rules)) return emptyResponse(401);
  // Absolute, because Traefik would take a relative one for a path of the gate.
  const location = `${original.scheme}://${original.host}${signInPath}?${to}`;
  const redirects = !/[?&]redirect=no(?:&|$)/.test(request.url ?? '');
  return redirects ? emptyResponse(302, ['Location', location]) : emptyResponse(401, ['X-Gate-Location', location]);
}

function refusal(
  request: IncomingMessage,
  original: OriginalRequest,
  rules: PathRules | undefined,
  page: GatePage,
): GateResponse {
  if (isBrowser(request, original, rules)) return pageResponse(request, page);
  const status = statusOf(page);
  return emptyResponse(status, status === 503 ? ['Retry-After', '5'] : []);
}

/** Whether there's someone who could be shown a page. */
function isBrowser({ headers }: IncomingMessage, { method }: OriginalRequest, rules: PathRules | undefined): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || rules?.program === true) return false;
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? /\btext\/html\b/i.test(headers.accept ?? '') : mode === 'navigate';
}
