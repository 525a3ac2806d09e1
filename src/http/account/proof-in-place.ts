// Powerful changes need recent proof of identity. When it's missing, the request is answered with a page that asks for it,
// and goes on where it was once the proof is given: the page's form posts to the same URL, with the request in it. The
// request may hold a new password, so it is sealed, for this session, person and URL.

import type { FastifyReply } from 'fastify';
import { signInMethods } from '../../operations/account/review.ts';
import { maySetPassword, passwordSignsIn } from '../../operations/passwords/password-policy.ts';
import {
  type AskedProofCode,
  canProveByEmail,
  type EmailProof,
  proveByEmail,
  sendProofCode,
} from '../../operations/sign-in/prove-by-email.ts';
import { type IdentityProof, type IdentityRefusal, proveIdentity } from '../../operations/sign-in/prove-identity.ts';
import { pendingLifetime } from '../../operations/sign-in/upstreams/start.ts';
import { provingUpstreams } from '../../operations/users/identities.ts';
import type { AccountFrame } from '../../pages/account/account-layout.ts';
import { proofDonePage, proofPage } from '../../pages/account/proof.ts';
import { type Parameters, readBody } from '../../protocol/reading/parameters.ts';
import { accountPage, parsePage } from '../../protocol/sign-in/destination.ts';
import { isProven } from '../../protocol/sign-in/proof.ts';
import type { SignedIn } from '../../storage/storage.ts';
import { setCookie, valuesOf } from '../cookies.ts';
import { failures, sendFailure } from '../failures.ts';
import { bodyOf } from '../forms.ts';
import * as limits from '../limits.ts';
import type { PageNeeds } from '../send-page.ts';
import { challengeTickets, proofCodeTicket, signInTicket } from '../sign-in/sign-in-tickets.ts';
import { refusalText } from '../sign-in/step-pages.ts';
import { sendToUpstream } from '../upstreams/send-to-upstream.ts';
import type { Visit } from '../visit.ts';
import { openForSession, sealForSession } from './sealed-for-session.ts';

/** The field of the proof's form that carries the request. */
const heldField = 'held_request';
/** Sealing makes a body a third longer, and the proof comes on top. */
export const heldBodyLimit = 2 * limits.bodyLimit;

interface Asked {
  readonly visit: Visit;
  readonly signedIn: SignedIn;
  readonly frame: AccountFrame;
}

/** `needsProof` says whether these fields change something powerful. */
export interface ProofRules {
  readonly multiline: readonly string[];
  needsProof(fields: Parameters): boolean | Promise<boolean>;
  /** What the page needs besides: the answer to a change may redirect to a client. */
  pageNeeds(fields: Parameters): PageNeeds | Promise<PageNeeds>;
}

export interface ProvenRequest {
  /** Of the request that was sent first. */
  readonly fields: Parameters;
  readonly signedIn: SignedIn;
}

/** The request with which to go on; undefined when the proof was asked for, and the reply has been sent. */
export async function requireProof(
  asked: Asked,
  fields: Parameters,
  rules: ProofRules,
): Promise<ProvenRequest | undefined> {
  const { visit, signedIn } = asked;
  const { context, services, request, reply } = visit;
  const proven = isProven(signedIn.session, services.clock.now());
  const sealed = fields.get(heldField);
  if (sealed === undefined) {
    if (bodyOf(request).length > limits.bodyLimit) sendFailure(context, request, reply, failures.bodyTooLarge);
    else if (proven || !(await rules.needsProof(fields))) return { fields, signedIn };
    else await askForProof(asked, await rules.pageNeeds(fields));
    return undefined;
  }
  const held = open(asked, sealed, rules.multiline);
  if (held === undefined) {
    visit.sendFormExpired();
    return undefined;
  }
  // Proven in another window meanwhile, or by a form that was sent twice: what it brings may be used up.
  if (proven) return { fields: held.fields, signedIn };
  const upstream = fields.get('upstream');
  if (upstream !== undefined) {
    await proveElsewhere(asked, upstream, { url: request.raw.url ?? '', sealed }, held.back);
    return undefined;
  }
  if (fields.has('send_code')) {
    const code = await sendProofCode(services, signedIn, visit.requester);
    await sendProof(asked, { sealed, back: held.back, code }, await rules.pageNeeds(held.fields));
    return undefined;
  }
  const code = visit.readTicket(proofCodeTicket, fields);
  const outcome =
    code === undefined
      ? await proveIdentity(services, signedIn, proofIn(visit, fields), visit.requester)
      : await proveByEmail(services, signedIn, emailProofIn(visit, fields, code), visit.requester);
  if (outcome.kind === 'proven') return { fields: held.fields, signedIn: outcome.signedIn };
  if (outcome.kind === 'ended') visit.sendFormExpired();
  else await sendProof(asked, { sealed, back: held.back, code }, await rules.pageNeeds(held.fields), outcome);
  return undefined;
}

/** Asks for the proof, and keeps the request for afterwards. Without a body, the request is an empty form. */
export async function askForProof(asked: Asked, needs: PageNeeds = {}): Promise<FastifyReply> {
  const { request } = asked.visit;
  const back = pageBefore(asked.visit);
  const type = request.headers['content-type'] ?? 'application/x-www-form-urlencoded';
  const body = Buffer.from(bodyOf(request)).toString('utf8');
  const sealed = sealForSession(asked, 'held request', [back, type, body].join('\n'));
  return sendProof(asked, { sealed, back }, needs);
}

function open(
  asked: Asked,
  sealed: string,
  multiline: readonly string[],
): { fields: Parameters; back: string } | undefined {
  const held = unseal(asked, sealed);
  const reading = held && readBody(held.type, Buffer.from(held.body), multiline);
  return reading?.kind === 'read' ? { fields: reading.parameters, back: held?.back ?? '' } : undefined;
}

function unseal(asked: Asked, sealed: string, url?: string) {
  const text = openForSession(asked, 'held request', sealed, url);
  if (text === undefined) return undefined;
  const [back = '', type, ...body] = text.split('\n');
  return { back, type, body: body.join('\n') };
}

export const proofDonePath = '/account/proof/done';

/** Sends the person to an upstream, where they sign in again. The request waits in a cookie, if it isn't too long for that. */
async function proveElsewhere(asked: Asked, name: string, held: HeldRequest, back: string): Promise<void> {
  const { visit, signedIn } = asked;
  const path = keepHeld(visit, held) ? proofDonePath : back;
  const start = { purpose: 'prove', name, destination: { kind: 'page', path }, signedIn } as const;
  if (await sendToUpstream(visit, start)) return;
  await sendProof(asked, { sealed: held.sealed, back }, {}, { kind: 'unavailable' });
}

/** The person is back from the upstream. */
export function sendProofDone(asked: Asked): FastifyReply {
  const { visit, signedIn } = asked;
  const { services } = visit;
  const held = takeHeld(visit);
  const opened = held && unseal(asked, held.sealed, held.url);
  const proven = isProven(signedIn.session, services.clock.now());
  if (held === undefined || opened === undefined || !proven) return visit.redirect(303, '/account/security');
  const frame = { ...asked.frame, returnTo: undefined };
  const { url: action, sealed: value } = held;
  return visit.sendPage(200, proofDonePage(frame, { action, held: { name: heldField, value }, back: opened.back }));
}

/** The request that waits for proof while its sender is at an upstream. It comes back in a cookie; most are a button. */
interface HeldRequest {
  readonly url: string;
  readonly sealed: string;
}

/** Browsers take 4096 bytes with the name and the attributes. */
const longestHeld = 3800;

/** False when it is too long for a browser to keep. */
function keepHeld({ context, reply }: Visit, { url, sealed }: HeldRequest): boolean {
  const value = `${Buffer.from(url).toString('base64url')}.${sealed}`;
  if (value.length > longestHeld) return false;
  setCookie(context, reply, 'held', value, pendingLifetime / 1000);
  return true;
}

function takeHeld({ context, request, reply }: Visit): HeldRequest | undefined {
  const [value] = valuesOf(context, request, 'held');
  if (value === undefined) return undefined;
  setCookie(context, reply, 'held', '', 0);
  const dot = value.indexOf('.');
  return { url: Buffer.from(value.slice(0, dot), 'base64url').toString(), sealed: value.slice(dot + 1) };
}

function proofIn(visit: Visit, fields: Parameters): IdentityProof {
  const challenge = visit.readTicket(challengeTickets.proof, fields);
  if (challenge !== undefined) return { kind: 'passkey', answer: fields.get('answer') ?? '', challenge };
  const [password = '', code = ''] = [fields.get('password'), fields.get('code')];
  return { kind: 'password', password, code, marks: visit.browser.marks };
}

function emailProofIn(visit: Visit, fields: Parameters, asked: AskedProofCode): EmailProof {
  const [emailCode = '', code = ''] = [fields.get('email_code'), fields.get('code')];
  return { kind: 'email_code', asked, emailCode, code, marks: visit.browser.marks };
}

async function sendProof(
  { visit, signedIn: { user }, frame }: Asked,
  { sealed, back, code }: { sealed: string; back: string; code?: AskedProofCode | undefined },
  needs: PageNeeds,
  refusal?: IdentityRefusal | { readonly kind: 'unavailable' },
): Promise<FastifyReply> {
  const { services, request } = visit;
  const { hasAuthenticator, passkeys } = await signInMethods(services, user);
  const { status, problem } = refusalText(visit, frame.messages, refusal);
  // Without the language picker: the held request couldn't be shown again.
  const body = proofPage(request.method === 'POST' ? { ...frame, returnTo: undefined } : frame, {
    action: request.raw.url ?? '',
    held: { name: heldField, value: sealed },
    password: (await passwordSignsIn(services, user))
      ? { email: user.email, ticket: visit.makeTicket(signInTicket, parsePage(back) ?? accountPage) }
      : undefined,
    passwords: await maySetPassword(services, user),
    upstreams: await provingUpstreams(services, user),
    authenticator: hasAuthenticator,
    passkeys: passkeys.length > 0,
    email: (await canProveByEmail(services, user))
      ? { asked: code && visit.makeTicket(proofCodeTicket, code) }
      : undefined,
    back,
    ...(refusal && { [problemFields[refusal.kind]]: problem }),
  });
  return visit.sendPage(refusal?.kind === 'unavailable' ? 400 : status, body, needs);
}

/** Where the page says what was wrong. */
const problemFields = {
  wrong_password: 'passwordProblem',
  code_missing: 'codeProblem',
  wrong_second_factor: 'codeProblem',
  wrong_passkey: 'problem',
  wrong_email_code: 'emailCodeProblem',
  code_spent: 'emailCodeProblem',
  throttled: 'problem',
  codes_throttled: 'problem',
  unavailable: 'problem',
} as const;

/** The page that the form stood on, for people who change their mind. */
function pageBefore({ context, request }: Visit): string {
  const { referer = '' } = request.headers;
  const path = referer.startsWith(`${context.baseUrl}/`) ? referer.slice(context.baseUrl.length) : '';
  return (parsePage(path) ?? accountPage).path;
}
