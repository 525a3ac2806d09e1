// Trying an identity provider out: an administrator is sent there, and sees what came back. The response arrives at the callback of
// sign-ins, which leads here, so that it's only shown in the session that began it, to someone who still has the right.

import type { FastifyInstance } from 'fastify';
import { finishTry, type TriedUpstream } from '../../../operations/sign-in/upstreams/try-upstream.ts';
import { upstreamsPath } from '../../../pages/console/upstreams/list.ts';
import { type TriedPage, triedPage, type WouldHappen } from '../../../pages/console/upstreams/tried.ts';
import { standingOf } from '../../../protocol/account/standing.ts';
import { replaceMisleading } from '../../../protocol/reading/control-characters.ts';
import type { HttpContext } from '../../context.ts';
import { readCookie } from '../../cookies.ts';
import { rawQueryOf } from '../../requests.ts';
import { clearPendingCookie, readPendingCookie } from '../../upstreams/pending-cookie.ts';
import { sendToUpstream } from '../../upstreams/send-to-upstream.ts';
import { consolePages } from '../console-pages.ts';

const one = `${upstreamsPath}/:id`;

/** They tie a token to its request or session, and say nothing about a person; claims elsewhere come with tokens to get them. */
const ofTokens = new Set(['nonce', 'at_hash', 'c_hash', 's_hash', 'sid', 'jti', '_claim_names', '_claim_sources']);
/** Whatever an identity provider puts among claims. */
const secretive = /token|secret|password|assertion|api_?key/i;
/** What an identity provider sends may be long. */
const most = { claims: 60, name: 100, value: 1000 };

export function consoleTryRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'upstreams');

  pages.post(`${one}/try`, async (form) => {
    const destination = { kind: 'page', path: form.own(one) } as const;
    const { visit, signedIn, id: name } = form;
    if (await sendToUpstream(visit, { purpose: 'try', name, destination, signedIn })) return visit.reply;
    return visit.sendErrorPage(404, 'notFound');
  });

  pages.needing('upstreams.change').get(`${one}/try`, async (page) => {
    const { request, reply, signedIn, requester } = page;
    // A HEAD request must not use it up.
    if (request.method === 'HEAD') return reply.send();
    const response = {
      name: page.id,
      query: rawQueryOf(request),
      sealed: readPendingCookie(context, request),
      browserSecret: readCookie(context, request, 'browser'),
      signedIn,
    };
    const tried = await finishTry(services, response, requester);
    if (tried === undefined) return page.visit.sendErrorPage(404, 'notFound');
    const { upstream, outcome } = tried;
    // A round trip that another person has begun in this browser goes on.
    const isOurs = outcome.kind !== 'refused' || outcome.reason !== 'upstream_expired';
    if (isOurs) clearPendingCookie(context, request, reply);
    const { name, label } = upstream;
    const body = triedPage(page.frame, { name, label, result: resultOf(outcome, services.clock.now()) });
    return page.send(outcome.kind === 'received' ? 200 : 400, body);
  });
}

function resultOf(outcome: TriedUpstream, now: number): TriedPage['result'] {
  if (outcome.kind === 'throttled') return { kind: 'refused', reason: 'throttled', problem: undefined };
  if (outcome.kind === 'refused') return { kind: 'refused', reason: outcome.reason, problem: outcome.problem };
  const { claims, verified, twoFactors, judged, received } = outcome;
  const would: WouldHappen =
    'user' in judged ? { kind: judged.kind, user: judged.user, standing: standingOf(judged.user, now) } : judged;
  return {
    kind: 'received',
    claims,
    verified,
    twoFactors,
    would,
    received: received.map((each) => ({ from: each.from, claims: shownClaims(each.claims) })),
  };
}

function shownClaims(claims: Readonly<Record<string, unknown>>) {
  return Object.entries(claims)
    .filter(([name, value]) => !ofTokens.has(name) && !secretive.test(name) && value !== undefined)
    .slice(0, most.claims)
    .map(([name, value]) => ({
      name: clipped(name, most.name),
      value: clipped(typeof value === 'string' ? value : JSON.stringify(value, withoutSecrets), most.value),
    }));
}

function withoutSecrets(name: string, value: unknown): unknown {
  return secretive.test(name) ? undefined : value;
}

function clipped(text: string, limit: number): string {
  const safe = replaceMisleading(text.toWellFormed(), () => '\ufffd');
  return safe.length > limit ? `${safe.slice(0, limit)}…` : safe;
}
