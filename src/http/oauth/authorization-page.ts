// The authorization page: where a client sends the browser, and where the answer to an authorization request is written; and
// the pages that ask about a request, with the forms that answer. What a request needs is decided in
// operations/oauth/authorize.ts.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { askForAccess, askingFor } from '../../operations/access-requests/ask.ts';
import { claimsOf } from '../../operations/claim-facts.ts';
import {
  type AuthorizeOutcome,
  authorize,
  chooseAccount,
  type Decision,
  decide,
  requestedClaims,
} from '../../operations/oauth/authorize.ts';
import type { AuthorizationRefusal } from '../../operations/oauth/open-request.ts';
import { signOut } from '../../operations/sessions/sessions.ts';
import type { ErrorTopic } from '../../pages/languages/languages.ts';
import { type AskForAccess, chooseAccountPage, noAccessPage } from '../../pages/oauth/account-question.ts';
import { consentPage } from '../../pages/oauth/consent.ts';
import { noteLimit } from '../../protocol/account/access-requests.ts';
import { scopeOfClaims } from '../../protocol/oauth/application-claims.ts';
import { claimsFor } from '../../protocol/oauth/claims.ts';
import { displayHost, formActionSource } from '../../protocol/oauth/redirect-uri.ts';
import { isScope, type Scope } from '../../protocol/oauth/scope.ts';
import { authorizationPath, authorizationUrl } from '../../protocol/sign-in/destination.ts';
import type { Client, User } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';
import { clearSessionCookie } from '../cookies.ts';
import { visitRoutes } from '../forms.ts';
import { appIdentity } from '../logos.ts';
import { rawQueryOf } from '../requests.ts';
import { redirect } from '../send-page.ts';
import { requestDestination, reviewUrl } from '../sign-in/destination.ts';
import { askToSignIn } from '../sign-in/dispatch.ts';
import { showStep } from '../sign-in/step-pages.ts';
import type { TicketKind, Visit } from '../visit.ts';
import { failureInFront } from './authorization-door.ts';
import { redirectToPage } from './posted-query.ts';

export function authorizationRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  // What's wrong with a request goes back to the client, and parameters that mean nothing here are ignored.
  const config = { rawQuery: true } as const;
  app.get('/oauth-authorize.php', { config }, (request, reply) =>
    // The query as it came, byte for byte, with its question mark.
    redirect(reply, 301, (request.raw.url ?? '').replace(/^[^?]*/, authorizationPath)),
  );

  for (const path of ['/oauth-authorize.php', authorizationPath]) {
    app.post(path, { config }, (request, reply) => redirectToPage(context, request, reply, authorizationPath));
  }

  const { get, form, ticketForm } = visitRoutes(app, context);
  const answer = async (visit: Visit) => {
    const failure = failureInFront(visit.request.raw);
    if (failure !== undefined) throw failure;
    const query = rawQueryOf(visit.request);
    return sendAuthorizeOutcome(visit, query, await authorize(services, query, visit.session, visit.requester));
  };
  // No HEAD: answering a request can issue a code, which a HEAD request must not do.
  get(authorizationPath, answer, { config, exposeHeadRoute: false });

  ticketForm('/oauth-authorize/decision', decisionTicket, async (visit, { query, ...page }, fields) => {
    const decision = fields.get('decision');
    if (decision !== 'approve' && decision !== 'cancel') return visit.sendErrorPage(400, 'badRequest');
    const given: Decision = { kind: decision, ...page };
    return sendAuthorizeOutcome(visit, query, await decide(services, query, visit.session, given, visit.requester));
  });

  // Without a ticket, which is made for this person and this application, every application gets the same answer.
  ticketForm(
    '/oauth-authorize/access-request',
    accessRequestTicket,
    async (visit, { clientId, query }, fields) => {
      const signedIn = await visit.signedIn();
      const note = fields.get('note') ?? '';
      const isRefused =
        signedIn !== undefined && !(await askForAccess(services, signedIn.user, clientId, note, visit.requester));
      if (!isRefused) return visit.redirect(303, authorizationUrl(query));
      const outcome = await authorize(services, query, visit.session, visit.requester);
      return sendAuthorizeOutcome(visit, query, outcome, { note });
    },
    ['note'],
  );

  form('/oauth-authorize/account', async (visit, fields) => {
    // The consent page's ticket is accepted here, but that of another page is not accepted as a consent.
    const carried = visit.readTicket(accountChoiceTicket, fields) ?? visit.readTicket(decisionTicket, fields);
    if (carried === undefined) return visit.sendFormExpired();
    const { query } = carried;
    const account = fields.get('account');
    if (account !== 'current' && account !== 'other') return visit.sendErrorPage(400, 'badRequest');
    const signedIn = await visit.signedIn();
    if (signedIn !== undefined && account === 'current') await chooseAccount(services, query, signedIn);
    if (signedIn !== undefined && account === 'other') {
      await signOut(services, signedIn, visit.requester);
      clearSessionCookie(context, visit.reply);
    }
    return visit.redirect(303, authorizationUrl(query));
  });
}

/** The request's query, byte for byte. */
interface CarriedRequest {
  readonly query: string;
}

interface ShownRequest extends CarriedRequest {
  /** The scopes that the page listed, the only ones that its form can approve. */
  readonly shown: readonly Scope[];
  /** The keys of the claims that it listed; null for none. */
  readonly shownClaims: string | null;
}

/** Bound to the session, because the answer is that of its user. */
const carried = { field: 'request', boundTo: 'session' } as const;

/**
 * On the consent page: the scopes and the keys of claims, and on the next line the query, which can't contain a line break. A key
 * has an equals sign, which no scope has.
 */
const decisionTicket: TicketKind<ShownRequest> = {
  purpose: 'decision',
  ...carried,
  write: ({ query, shown, shownClaims }) => `${[...shown, ...(shownClaims?.split(' ') ?? [])].join(' ')}\n${query}`,
  read(text) {
    const lineBreak = text.indexOf('\n');
    const words = text.slice(0, lineBreak).split(' ');
    return {
      query: text.slice(lineBreak + 1),
      shown: words.filter(isScope),
      shownClaims: words.filter((word) => word.includes('=')).join(' ') || null,
    };
  },
};

/** On the page that asks which account to continue with, and on the one for someone without access. */
const accountChoiceTicket: TicketKind<CarriedRequest> = {
  purpose: 'account-choice',
  ...carried,
  write: ({ query }) => query,
  read: (query) => ({ query }),
};

/** On the page for someone without access, who can ask for it. */
const accessRequestTicket: TicketKind<CarriedRequest & { readonly clientId: string }> = {
  purpose: 'access-request',
  ...carried,
  write: ({ clientId, query }) => `${clientId}\n${query}`,
  read(text) {
    const lineBreak = text.indexOf('\n');
    return { clientId: text.slice(0, lineBreak), query: text.slice(lineBreak + 1) };
  },
};

/** A note that couldn't be stored. */
interface RefusedNote {
  readonly note: string;
}

const refusalTopics: Record<AuthorizationRefusal, ErrorTopic> = {
  unknown_client: 'unknownClient',
  redirect_uri_mismatch: 'redirectUri',
  client_revoked: 'clientRevoked',
};

function sendAuthorizeOutcome(
  visit: Visit,
  query: string,
  outcome: AuthorizeOutcome,
  refused?: RefusedNote,
): FastifyReply | Promise<FastifyReply> {
  if ('signedIn' in outcome && outcome.signedIn) visit.noteSender(outcome.signedIn.user);
  switch (outcome.kind) {
    case 'refused':
      return visit.sendErrorPage(400, refusalTopics[outcome.reason], outcome.client);
    case 'denied':
    case 'approved':
      return visit.redirect(visit.request.method === 'POST' ? 303 : 302, outcome.location);
    case 'throttled':
      visit.reply.header('Retry-After', outcome.retryAfterSeconds);
      return visit.sendErrorPage(429, 'tooManyApprovals', outcome.client);
    case 'sign_in':
      return askToSignIn(visit, requestDestination(query, outcome), outcome);
    case 'review':
      return visit.redirect(visit.request.method === 'POST' ? 303 : 302, reviewUrl(requestDestination(query, outcome)));
    case 'second_factor': {
      const { signedIn } = outcome;
      return showStep(visit, { page: 'verify', signedIn, destination: requestDestination(query, outcome) });
    }
    case 'choose_account':
    case 'no_access':
    case 'ask_consent':
      return sendQuestion(visit, query, outcome, refused);
  }
}

async function sendQuestion(
  visit: Visit,
  query: string,
  outcome: Extract<AuthorizeOutcome, { kind: 'choose_account' | 'no_access' | 'ask_consent' }>,
  refused?: RefusedNote,
): Promise<FastifyReply> {
  const { client, request, signedIn } = outcome;
  const { user } = signedIn;
  const { redirectUri, scopes } = request;
  const frame = visit.frame({ ...signedIn, destination: requestDestination(query, outcome) });
  const shared = { app: appIdentity(client), account: user };
  const needs = { formAction: formActionSource(redirectUri) };
  if (outcome.kind === 'ask_consent') {
    const claims = scopes.includes(scopeOfClaims) ? client.claims : [];
    const page = consentPage(frame, {
      ...shared,
      host: displayHost(redirectUri),
      shared: scopes.map((scope) => ({ scope, claims: claimsFor(user, [scope]) })),
      further: claims.length === 0 ? [] : await claimsOf(visit.services, claims, user),
      changed: outcome.changed === true,
      ticket: visit.makeTicket(decisionTicket, {
        query,
        shown: scopes,
        shownClaims: requestedClaims(client, request),
      }),
    });
    return visit.sendPage(200, page, needs);
  }
  const ticket = visit.makeTicket(accountChoiceTicket, { query });
  if (outcome.kind === 'choose_account') {
    return visit.sendPage(200, chooseAccountPage(frame, { ...shared, ticket }), needs);
  }
  const asking = await askingOn(visit, query, client, user, refused);
  return visit.sendPage(403, noAccessPage(frame, { ...shared, ticket, location: outcome.location, asking }), needs);
}

async function askingOn(
  visit: Visit,
  query: string,
  client: Client,
  user: User,
  refused: RefusedNote | undefined,
): Promise<AskForAccess> {
  const { refusal: kind, askedAt = 0 } = await askingFor(visit.services, user, client);
  if (kind === 'open') return { kind, askedAt, told: visit.services.emailQueue.works };
  if (kind !== undefined) return { kind };
  const ticket = visit.makeTicket(accessRequestTicket, { clientId: client.id, query });
  return { kind: 'form', ticket, note: refused?.note ?? '', limit: noteLimit, isRefused: refused !== undefined };
}
