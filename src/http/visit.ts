// One request to a page, and the reply to it: what the browser has brought, and the ways to answer. Made once for each
// request, so that routes and pages don't hand the context, the request and the reply to every function that they call.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../operations/services.ts';
import { currentSession } from '../operations/sessions/sessions.ts';
import type { Browser } from '../operations/sign-in/advance.ts';
import type { ErrorTopic } from '../pages/languages/languages.ts';
import type { Frame } from '../pages/layout/layout.ts';
import type { Requester } from '../protocol/event.ts';
import type { Parameters } from '../protocol/reading/parameters.ts';
import type { Client, SignedIn } from '../storage/storage.ts';
import type { HttpContext } from './context.ts';
import { readCookie, readMarks } from './cookies.ts';
import { noteSender, pageRequester, type Reader } from './language.ts';
import { queryOf } from './query.ts';
import { requesterOf } from './requester.ts';
import { frameOf, type PageNeeds, redirect, sendErrorPage, sendPage } from './send-page.ts';
import { makeTicket, readTicket, type TicketKind } from './tickets.ts';

export class Visit {
  readonly context: HttpContext;
  readonly services: Services;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;

  constructor(context: HttpContext, request: FastifyRequest, reply: FastifyReply) {
    this.context = context;
    this.services = context.services;
    this.request = request;
    this.reply = reply;
  }

  get query(): URLSearchParams {
    return queryOf(this.request);
  }

  /** Where the request comes from, as events record it. */
  get requester(): Requester {
    return requesterOf(this.request);
  }

  /** The same, with the language that emails about it are in when nothing else is known. */
  requesterReading(reader: Reader): Requester {
    return pageRequester(this.context, this.request, reader);
  }

  /** The secret of the session that the browser has. */
  get session(): string | undefined {
    return readCookie(this.context, this.request, 'session');
  }

  get browser(): Browser {
    return { session: this.session, marks: readMarks(this.context, this.request) };
  }

  signedIn(): Promise<SignedIn | undefined> {
    return currentSession(this.services, this.session);
  }

  /** From now on the answer is in the person's language. */
  noteSender(user: { readonly locale: string | null }): void {
    noteSender(this.context, this.request, this.reply, user);
  }

  frame(reader: Reader = {}): Frame {
    return frameOf(this.context, this.request, reader);
  }

  /** The frame of a page that can't be shown again in another language, so it has no language picker. */
  fixedFrame(reader: Reader = {}): Frame {
    return { ...this.frame(reader), returnTo: undefined };
  }

  makeTicket<Content>(kind: TicketKind<Content>, content: Content): string {
    return makeTicket(this.context, this.request, this.reply, kind, content);
  }

  readTicket<Content>(kind: TicketKind<Content>, fields: Parameters): Content | undefined {
    return readTicket(this.context, this.request, kind, fields);
  }

  sendPage(status: number, page: string, needs: PageNeeds = {}): FastifyReply {
    return sendPage(this.reply, status, page, needs);
  }

  redirect(status: 302 | 303, location: string): FastifyReply {
    return redirect(this.reply, status, location);
  }

  /** `client` is the application that the error is about, if there is one. */
  sendErrorPage(status: number, topic: ErrorTopic, client?: Client): FastifyReply {
    return sendErrorPage(this.context, this.request, this.reply, status, topic, client);
  }

  sendFormExpired(): FastifyReply {
    return this.sendErrorPage(403, 'formExpired');
  }

  /** For a script, which can do nothing with an error page. */
  sendJson(status: number, body: object): FastifyReply {
    return this.reply.code(status).header('Cache-Control', 'no-store').send(body);
  }
}
