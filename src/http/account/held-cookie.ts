// The request that waits for proof while its sender is at an upstream. It's sealed already, for the session, the person and
// the URL, and comes back in a cookie if it's short enough for one: most are a button.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { pendingLifetime } from '../../operations/sign-in/upstreams/start.ts';
import type { HttpContext } from '../context.ts';
import { setCookie, valuesOf } from '../cookies.ts';

export interface HeldRequest {
  readonly url: string;
  readonly sealed: string;
}

/** Browsers take 4096 bytes with the name and the attributes. */
const longest = 3800;

/** False when it is too long for a browser to keep. */
export function keepHeld(context: HttpContext, reply: FastifyReply, { url, sealed }: HeldRequest): boolean {
  const value = `${Buffer.from(url).toString('base64url')}.${sealed}`;
  if (value.length > longest) return false;
  setCookie(context, reply, 'held', value, pendingLifetime / 1000);
  return true;
}

export function takeHeld(context: HttpContext, request: FastifyRequest, reply: FastifyReply): HeldRequest | undefined {
  const [value] = valuesOf(context, request, 'held');
  if (value === undefined) return undefined;
  setCookie(context, reply, 'held', '', 0);
  const dot = value.indexOf('.');
  return { url: Buffer.from(value.slice(0, dot), 'base64url').toString(), sealed: value.slice(dot + 1) };
}
