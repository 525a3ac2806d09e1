// Powerful changes need recent proof of identity. When it's missing, the request is answered with a page that asks for it,
// and goes on where it was once the proof is given: the page's form posts to the same URL, with the request in it. The
// request may hold a new password, so it is sealed, for this session, person and URL.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInMethods } from '../../operations/account/sign-in-methods.ts';
import { type IdentityProof, type IdentityRefusal, proveIdentity } from '../../operations/sign-in/prove-identity.ts';
import type { AccountFrame } from '../../pages/account/account-layout.ts';
import { proofDonePage, proofPage } from '../../pages/account/proof.ts';
import { type Parameters, readBody } from '../../protocol/reading/parameters.ts';
import { accountPage, parsePage } from '../../protocol/sign-in/destination.ts';
import { hasPassword } from '../../protocol/sign-in/password-hashes.ts';
import { isProven, proofLifetime } from '../../protocol/sign-in/proof.ts';
import type { SignedIn } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';
import { readMarks } from '../cookies.ts';
import { failures, sendFailure } from '../failures.ts';
import { bodyOf, sendFormExpired } from '../forms.ts';
import * as limits from '../limits.ts';
import { requesterOf } from '../requester.ts';
import { type PageNeeds, redirect, sendPage } from '../send-page.ts';
import { challengeTicket } from '../sign-in/passkey-challenge.ts';
import { throttledAttempt } from '../throttled.ts';
import { readTicket } from '../tickets.ts';
import { sendToUpstream } from '../upstreams/send-to-upstream.ts';
import { type HeldRequest, keepHeld, takeHeld } from './held-cookie.ts';
import { provingUpstreams } from './linked-identities.ts';

/** The field of the proof's form that carries the request. */
const heldField = 'held_request';
/** Sealing makes a body a third longer, and the proof comes on top. */
export const heldBodyLimit = 2 * limits.bodyLimit;

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly signedIn: SignedIn;
  readonly frame: AccountFrame;
}

/** `needsProof` says whether these fields change something powerful. */
export interface ProofRules {
  readonly multiline: readonly string[];
  needsProof(fields: Parameters): boolean | Promise<boolean>;
  /** What the page needs besides: the answer to a change may redirect to a client. */
  pageNeeds(fields: Parameters): PageNeeds;
}

export interface ProvenRequest {
  /** Of the request that was sent first. */
  readonly fields: Parameters;
  readonly signedIn: SignedIn;
}

/** The request with which to go on; undefined when the proof was asked for, and the reply has been sent. */
export async function requireProof(
  context: HttpContext,
  asked: Asked,
  fields: Parameters,
  rules: ProofRules,
): Promise<ProvenRequest | undefined> {
  const { request, reply, signedIn } = asked;
  const { services } = context;
  const proven = isProven(signedIn.session, services.clock.now());
  const sealed = fields.get(heldField);
  if (sealed === undefined) {
    if (bodyOf(request).length > limits.bodyLimit) sendFailure(context, request, reply, failures.bodyTooLarge);
    else if (proven || !(await rules.needsProof(fields))) return { fields, signedIn };
    else await askForProof(context, asked, rules.pageNeeds(fields));
    return undefined;
  }
  const held = open(context, asked, sealed, rules.multiline);
  if (held === undefined) {
    sendFormExpired(context, asked);
    return undefined;
  }
  // Proven in another window meanwhile, or by a form that was sent twice: what it brings may be used up.
  if (proven) return { fields: held.fields, signedIn };
  const upstream = fields.get('upstream');
  if (upstream !== undefined) {
    await proveElsewhere(context, asked, upstream, { url: request.raw.url ?? '', sealed }, held.back);
    return undefined;
  }
  const outcome = await proveIdentity(services, signedIn, proofIn(context, request, fields), requesterOf(request));
  if (outcome.kind === 'proven') return { fields: held.fields, signedIn: outcome.signedIn };
  if (outcome.kind === 'ended') sendFormExpired(context, asked);
  else {
    const needs = rules.pageNeeds(held.fields);
    await sendProof(context, asked, { sealed, back: held.back }, needs, refusalOf(asked, outcome));
  }
  return undefined;
}

/** Asks for the proof, and keeps the request for afterwards. Without a body, the request is an empty form. */
export async function askForProof(context: HttpContext, asked: Asked, needs: PageNeeds = {}): Promise<FastifyReply> {
  const { request } = asked;
  const back = pageBefore(context, request);
  const type = request.headers['content-type'] ?? 'application/x-www-form-urlencoded';
  const body = Buffer.from(bodyOf(request)).toString('utf8');
  const text = [String(context.services.clock.now()), back, type, body].join('\n');
  const sealed = context.services.keys.seal(purposeOf(asked), text);
  return sendProof(context, asked, { sealed, back }, needs, { status: 200 });
}

/** What a request is sealed for. */
function purposeOf({ request, signedIn }: Asked, url = request.raw.url): string {
  return `held request ${signedIn.session.digest} ${signedIn.user.id} ${url}`;
}

function open(
  context: HttpContext,
  asked: Asked,
  sealed: string,
  multiline: readonly string[],
): { fields: Parameters; back: string } | undefined {
  const held = unseal(context, asked, sealed);
  const reading = held && readBody(held.type, Buffer.from(held.body), multiline);
  return reading?.kind === 'read' ? { fields: reading.parameters, back: held?.back ?? '' } : undefined;
}

/** Undefined when it was sealed for another session, person or URL, or too long ago. */
function unseal(context: HttpContext, asked: Asked, sealed: string, url?: string) {
  const text = context.services.keys.unseal(purposeOf(asked, url), sealed);
  const [at = '', back = '', type, ...body] = text?.split('\n') ?? [];
  if (text === undefined || context.services.clock.now() - Number(at) > proofLifetime) return undefined;
  return { back, type, body: body.join('\n') };
}

export const proofDonePath = '/account/proof/done';

/** Sends the person to a provider, where they sign in again. The request waits in a cookie, if it isn't too long for that. */
async function proveElsewhere(
  context: HttpContext,
  asked: Asked,
  name: string,
  held: HeldRequest,
  back: string,
): Promise<void> {
  const { request, reply, signedIn } = asked;
  const path = keepHeld(context, reply, held) ? proofDonePath : back;
  const start = { purpose: 'prove', name, destination: { kind: 'page', path }, signedIn } as const;
  const sent = await sendToUpstream(context, request, reply, start);
  if (sent === undefined) await sendProof(context, asked, { sealed: held.sealed, back }, {}, { status: 400 });
}

/** The person is back from the provider. */
export function sendProofDone(context: HttpContext, asked: Asked): FastifyReply {
  const { request, reply, signedIn } = asked;
  const held = takeHeld(context, request, reply);
  const opened = held && unseal(context, asked, held.sealed, held.url);
  const proven = isProven(signedIn.session, context.services.clock.now());
  if (held === undefined || opened === undefined || !proven) return redirect(reply, 303, '/account/security');
  const frame = { ...asked.frame, returnTo: undefined };
  const { url: action, sealed: value } = held;
  return sendPage(reply, 200, proofDonePage(frame, { action, held: { name: heldField, value }, back: opened.back }));
}

function proofIn(context: HttpContext, request: FastifyRequest, fields: Parameters): IdentityProof {
  const challenge = readTicket(context, request, challengeTicket, fields);
  if (challenge !== undefined) return { kind: 'passkey', answer: fields.get('answer') ?? '', challenge };
  const [password = '', code = ''] = [fields.get('password'), fields.get('code')];
  return { kind: 'password', password, code, marks: readMarks(context, request) };
}

interface Refusal {
  readonly status: number;
  readonly problem?: string;
  readonly passwordProblem?: string;
  readonly codeProblem?: string;
}

async function sendProof(
  context: HttpContext,
  asked: Asked,
  { sealed, back }: { sealed: string; back: string },
  needs: PageNeeds,
  { status, ...problems }: Refusal,
): Promise<FastifyReply> {
  const { user } = asked.signedIn;
  const { hasAuthenticator, passkeys } = await signInMethods(context.services, user);
  // Without the language picker: the held request couldn't be shown again.
  const frame = asked.request.method === 'POST' ? { ...asked.frame, returnTo: undefined } : asked.frame;
  const body = proofPage(frame, {
    action: asked.request.raw.url ?? '',
    held: { name: heldField, value: sealed },
    password: hasPassword(user),
    upstreams: await provingUpstreams(context, user),
    authenticator: hasAuthenticator,
    passkeys: passkeys.length > 0,
    back,
    ...problems,
  });
  return sendPage(asked.reply, status, body, needs);
}

/** How to answer when the proof was wrong, or was tried too often. */
function refusalOf({ reply, frame }: Asked, refusal: IdentityRefusal): Refusal {
  const m = frame.messages.account;
  switch (refusal.kind) {
    case 'wrong_password':
      return { status: 400, passwordProblem: m.proof.wrongPassword };
    case 'wrong_second_factor':
      return { status: 400, codeProblem: m.secondStep.failed };
    case 'wrong_passkey':
      return { status: 400, problem: frame.messages.signIn.passkeyFailed };
    case 'throttled':
      return throttledAttempt(reply, refusal, m.throttled);
    case 'codes_throttled':
      return throttledAttempt(reply, refusal, m.secondStep.tooManyCodes);
  }
}

/** The page that the form stood on, for whoever changes their mind. */
function pageBefore(context: HttpContext, { headers }: FastifyRequest): string {
  const { referer = '' } = headers;
  const path = referer.startsWith(`${context.baseUrl}/`) ? referer.slice(context.baseUrl.length) : '';
  return (parsePage(path) ?? accountPage).path;
}
