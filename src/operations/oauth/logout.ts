// A client sends the browser here to sign its user out. What the request leads to is decided by protocol/oauth/logout.ts;
// this file loads the session and the client, ends the session, and records why the browser doesn't go back. The hint goes
// no further than this file: neither the question nor an event repeats it.

import { quoted, quotedClientId, type Requester } from '../../protocol/event.ts';
import {
  type Claimant,
  claimantOf,
  type LogoutRequest,
  type LogoutReturn,
  logoutReturn,
  readLogoutRequest,
  sessionStep,
} from '../../protocol/oauth/logout.ts';
import { readQuery } from '../../protocol/reading/parameters.ts';
import type { Client, SignedIn } from '../../storage/storage.ts';
import type { Recording, Services } from '../services.ts';
import { currentSession, signOut } from '../sessions/sessions.ts';
import { verifiedHint } from './open-request.ts';

type SessionServices = Recording & Pick<Services, 'settings'>;

/** What is left of a request while its user is asked. */
export interface LogoutQuestion extends Claimant, Pick<LogoutRequest, 'postLogoutRedirectUri' | 'state' | 'uiLocales'> {
  /** The user whose account the question shows. */
  readonly userId: string;
}

export type LogoutOutcome =
  /** A parameter is repeated or malformed. */
  | { kind: 'invalid' }
  | {
      kind: 'ask';
      question: LogoutQuestion;
      signedIn: SignedIn;
      /** The client that asks; undefined when that isn't known, or can't be believed. */
      client: Client | undefined;
      return: LogoutReturn;
    }
  /** `signedIn` is whose session has ended, if there was one. */
  /** With the client that asked for it, if it can be believed. */
  | { kind: 'signed_out'; signedIn: SignedIn | undefined; client: Client | undefined; return: LogoutReturn };

export async function logout(
  services: Recording & Pick<Services, 'issuer' | 'settings' | 'keys'>,
  rawQuery: string,
  sessionSecret: string | undefined,
  requester: Requester,
): Promise<LogoutOutcome> {
  const request = readLogoutRequest(readQuery(rawQuery));
  if (request === undefined) return { kind: 'invalid' };
  const { idTokenHint } = request;
  const hint = idTokenHint === undefined ? 'none' : (verifiedHint(services, idTokenHint) ?? 'invalid');
  const claimant = claimantOf(request.clientId, hint);
  const { signedIn, client } = await load(services, sessionSecret, claimant);
  if (signedIn !== undefined && sessionStep(claimant, hint, signedIn.user.id) === 'ask') {
    return ask(request, claimant, signedIn, client);
  }
  return finish(services, { request, claimant, signedIn, client }, requester);
}

/** The user has answered the question with yes. */
export async function confirmLogout(
  services: SessionServices,
  question: LogoutQuestion,
  sessionSecret: string | undefined,
  requester: Requester,
): Promise<LogoutOutcome> {
  const { signedIn, client } = await load(services, sessionSecret, question);
  // Another person has signed in since, in another window: they were not asked.
  if (signedIn !== undefined && signedIn.user.id !== question.userId) return ask(question, question, signedIn, client);
  return finish(services, { request: question, claimant: question, signedIn, client }, requester);
}

type ReturnRequest = Pick<LogoutRequest, 'postLogoutRedirectUri' | 'state'>;

async function load(services: SessionServices, sessionSecret: string | undefined, { clientId }: Claimant) {
  const [signedIn, client] = await Promise.all([
    currentSession(services, sessionSecret),
    clientId === undefined ? undefined : services.storage.findClient(clientId),
  ]);
  return { signedIn, client };
}

function ask(
  { postLogoutRedirectUri, state, uiLocales }: ReturnRequest & Pick<LogoutRequest, 'uiLocales'>,
  { clientId, doubt }: Claimant,
  signedIn: SignedIn,
  client: Client | undefined,
): LogoutOutcome {
  const question = { clientId, doubt, postLogoutRedirectUri, state, uiLocales, userId: signedIn.user.id };
  const asking = doubt === undefined && client?.revokedAt === null ? client : undefined;
  return { kind: 'ask', question, signedIn, client: asking, return: logoutReturn(question, question, client) };
}

async function finish(
  services: Recording,
  asked: {
    readonly request: ReturnRequest;
    readonly claimant: Claimant;
    readonly signedIn: SignedIn | undefined;
    readonly client: Client | undefined;
  },
  requester: Requester,
): Promise<LogoutOutcome> {
  const { request, claimant, signedIn, client } = asked;
  // A client that can't be believed has asked for nothing.
  const asking = claimant.doubt === undefined ? client : undefined;
  if (signedIn !== undefined) await signOut(services, signedIn, requester, asking?.id);
  const back = logoutReturn(request, claimant, client);
  if (back.kind === 'refused') {
    const { reason, registered } = back;
    const detail = {
      reason,
      received: quoted(request.postLogoutRedirectUri ?? ''),
      ...(registered && { registered }),
      ...(reason === 'unknown_client' && { requested_client: quotedClientId(claimant.clientId ?? '') }),
    };
    const about = { ...(client && { clientId: client.id }), ...(signedIn && { userId: signedIn.user.id }) };
    services.journal.noteRateLimited({ kind: 'post_logout_redirect_refused', ...about, detail }, requester);
  }
  return { kind: 'signed_out', signedIn, client: asking, return: back };
}
