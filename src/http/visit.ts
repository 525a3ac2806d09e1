// One request to a page, and the reply to it: what the browser has brought, and the ways to answer. Made once for each
// request, so that routes and pages don't hand the context, the request and the reply to every function that they call.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../operations/services.ts';
import { currentSession } from '../operations/sessions/sessions.ts';
import type { Browser } from '../operations/sign-in/advance.ts';
import type { ErrorTopic } from '../pages/languages/languages.ts';
import type { Frame } from '../pages/layout/layout.ts';
import { digestOf } from '../protocol/digest.ts';
import type { Requester } from '../protocol/event.ts';
import type { StampPurpose } from '../protocol/purposes.ts';
import type { Parameters } from '../protocol/reading/parameters.ts';
import type { Client, SignedIn } from '../storage/storage.ts';
import type { HttpContext } from './context.ts';
import { ensureBrowserCookie, readCookie, readMarks, readRemembered } from './cookies.ts';
import { languageOf, noteSender, type Reader } from './language.ts';
import { queryOf, requesterOf } from './requests.ts';
import { frameOf, type PageNeeds, redirect, sendErrorPage, sendPage } from './send-page.ts';

/**
 * Tickets: typed data that travels through a form and back instead of being stored. A stamp proves that this service made
 * the ticket, for this purpose, and for the browser or session that brings it back; nobody else's is accepted.
 */
export interface TicketKind<Content> {
  readonly purpose: StampPurpose;
  /** The form field that carries it. */
  readonly field: string;
  /** The cookie that has to come with it. */
  readonly boundTo: 'browser' | 'session';
  write(content: Content): string;
  /** Reads text whose stamp was valid; undefined when its content cannot be used. */
  read(text: string): Content | undefined;
}

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

  /** Where the request comes from, with the language that emails about it are in when nothing else is known. */
  requesterReading(reader: Reader): Requester {
    return { ...this.requester, language: languageOf(this.context, this.request, reader) };
  }

  /** The secret of the session that the browser has. */
  get session(): string | undefined {
    return readCookie(this.context, this.request, 'session');
  }

  get browser(): Browser {
    const marks = readMarks(this.context, this.request);
    return { session: this.session, marks, remembered: readRemembered(this.context, this.request, marks) };
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
    const holder =
      kind.boundTo === 'browser' ? ensureBrowserCookie(this.context, this.request, this.reply) : (this.session ?? '');
    const text = kind.write(content);
    const stamp = this.services.keys.stamp(kind.purpose, digestOf(holder), text);
    return `${Buffer.from(text).toString('base64url')}.${stamp}`;
  }

  /** The content of the ticket in the form, or undefined when there is none or it is not valid. */
  readTicket<Content>(kind: TicketKind<Content>, fields: Parameters): Content | undefined {
    const holder = readCookie(this.context, this.request, kind.boundTo);
    const [encoded, stamp] = fields.get(kind.field)?.split('.') ?? [];
    if (holder === undefined || encoded === undefined || stamp === undefined) return undefined;
    const bytes = Buffer.from(encoded, 'base64url');
    // Earlier versions wrote Latin-1, and their forms may still be open.
    const text = [bytes.toString(), bytes.toString('latin1')].find((each) =>
      this.services.keys.verifyStamp(stamp, kind.purpose, digestOf(holder), each),
    );
    return text === undefined ? undefined : kind.read(text);
  }

  sendPage(status: number, page: string, needs: PageNeeds = {}): FastifyReply {
    return sendPage(this.reply, status, page, needs);
  }

  redirect(status: 302 | 303, location: string): FastifyReply {
    return redirect(this.reply, status, location);
  }

  /** `client` is the application that the error is about, if there is one. */
  sendErrorPage(status: number, topic: ErrorTopic, client?: Client): FastifyReply {
    return sendErrorPage(this.context, this.request, this.reply, { status, topic, client });
  }

  /** After too many attempts: sets Retry-After, and gives the page's status and sentence. */
  throttled(
    { retryAfterSeconds }: { readonly retryAfterSeconds: number },
    sentence: (minutes: number) => string,
  ): { status: number; problem: string } {
    this.reply.header('Retry-After', retryAfterSeconds);
    return { status: 429, problem: sentence(Math.ceil(retryAfterSeconds / 60)) };
  }

  sendFormExpired(): FastifyReply {
    return this.sendErrorPage(403, 'formExpired');
  }

  /** For a script, which can do nothing with an error page. */
  sendJson(status: number, body: object): FastifyReply {
    return this.reply.code(status).header('Cache-Control', 'no-store').send(body);
  }
}
