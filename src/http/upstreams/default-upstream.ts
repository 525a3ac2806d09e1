// Sends people straight to the provider that they are meant to sign in with, so that they never see a password field.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenRequest } from '../../operations/oauth/authorize.ts';
import { defaultUpstream } from '../../operations/upstreams/default-upstream.ts';
import type { Destination } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { sendToUpstream } from './send-to-upstream.ts';

/** Undefined when people choose for themselves, or the provider can't be used. `open` is the request of an application. */
export async function sendToDefault(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  destination: Destination,
  open?: OpenRequest,
): Promise<FastifyReply | undefined> {
  const loginHint = open?.request.loginHint;
  const asked = { clientUpstream: open?.client.upstream ?? null, loginHint };
  const upstream = await defaultUpstream(context.services, asked);
  if (upstream === undefined) return undefined;
  return sendToUpstream(context, request, reply, {
    purpose: 'sign_in',
    name: upstream.name,
    destination,
    keep: false,
    loginHint,
    ...(open && { request: open.request }),
  });
}
