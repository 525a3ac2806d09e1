// Tickets: typed data that travels through a form and back instead of being stored. A stamp proves that this service made
// the ticket, for this purpose, and for the browser or session that brings it back; nobody else's is accepted.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { digestOf } from '../protocol/digest.ts';
import type { Parameters } from '../protocol/reading/parameters.ts';
import type { HttpContext } from './context.ts';
import { ensureBrowserCookie, readCookie } from './cookies.ts';

export interface TicketKind<Content> {
  readonly purpose: string;
  /** The form field that carries it. */
  readonly field: string;
  /** The cookie that has to come with it. */
  readonly boundTo: 'browser' | 'session';
  write(content: Content): string;
  /** Reads text whose stamp was valid; undefined when its content cannot be used. */
  read(text: string): Content | undefined;
}

export function makeTicket<Content>(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  kind: TicketKind<Content>,
  content: Content,
): string {
  const holder =
    kind.boundTo === 'browser'
      ? ensureBrowserCookie(context, request, reply)
      : (readCookie(context, request, 'session') ?? '');
  const text = kind.write(content);
  const stamp = context.services.keys.stamp(kind.purpose, digestOf(holder), text);
  return `${Buffer.from(text, 'latin1').toString('base64url')}.${stamp}`;
}

/** The content of the ticket in the form, or undefined when there is none or it is not valid. */
export function readTicket<Content>(
  context: HttpContext,
  request: FastifyRequest,
  kind: TicketKind<Content>,
  fields: Parameters,
): Content | undefined {
  const holder = readCookie(context, request, kind.boundTo);
  const [encoded, stamp] = fields.get(kind.field)?.split('.') ?? [];
  if (holder === undefined || encoded === undefined || stamp === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64url').toString('latin1');
  return context.services.keys.verifyStamp(stamp, kind.purpose, digestOf(holder), text) ? kind.read(text) : undefined;
}
