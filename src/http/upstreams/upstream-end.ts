// The page for a round trip to an upstream that has let nobody in. What exactly was wrong with a response is in the event.

import type { FastifyReply } from 'fastify';
import type { CallbackOutcome } from '../../operations/sign-in/upstreams/callback.ts';
import type { Frame } from '../../pages/layout/layout.ts';
import { type UpstreamEnd, upstreamEndPage } from '../../pages/sign-in/upstreams.ts';
import { formatDestination } from '../../protocol/sign-in/destination.ts';
import type { SignInRefusal } from '../../protocol/sign-in/outcomes.ts';
import { passwordSignInUrl, targetOf } from '../sign-in/destination.ts';
import { signInTicket } from '../sign-in/sign-in-tickets.ts';
import type { Visit } from '../visit.ts';

export type UpstreamEnding = Extract<CallbackOutcome, { kind: 'link_needed' | 'no_account' | 'refused' }>;

type Problem = keyof Frame['messages']['upstreams']['problems'];

const problems: Partial<Record<SignInRefusal, { readonly status: number; readonly problem: Problem }>> = {
  upstream_expired: { status: 400, problem: 'expired' },
  upstream_replayed: { status: 400, problem: 'expired' },
  upstream_disabled: { status: 404, problem: 'unavailable' },
  upstream_denied: { status: 403, problem: 'canceled' },
  upstream_error: { status: 502, problem: 'invalid' },
  upstream_unreachable: { status: 502, problem: 'unreachable' },
  upstream_invalid_response: { status: 502, problem: 'invalid' },
  upstream_not_fresh: { status: 403, problem: 'notFresh' },
  upstream_identity_taken: { status: 409, problem: 'identityTaken' },
  upstream_other_person: { status: 403, problem: 'otherPerson' },
  disabled: { status: 403, problem: 'refused' },
  upstream_domain_not_allowed: { status: 403, problem: 'refused' },
};

export async function showUpstreamEnd(visit: Visit, ended: UpstreamEnding): Promise<FastifyReply> {
  const { upstream, purpose, destination } = ended;
  if (upstream === undefined) return visit.sendErrorPage(404, 'notFound');
  const { name, label } = upstream;
  const frame = visit.fixedFrame({ destination });
  const { upstreams: m, account } = frame.messages;
  const isSignIn = purpose === 'sign_in';
  const { status, ending, canRetry } = endingOf(visit, frame, ended, label);
  const { app, needs } = await targetOf(visit.services, destination);
  const page = upstreamEndPage(frame, {
    app,
    label,
    reference: visit.request.id,
    ending,
    again: isSignIn && canRetry ? { name, ticket: visit.makeTicket(signInTicket, destination) } : undefined,
    leave: isSignIn
      ? { href: passwordSignInUrl(destination), label: m.otherWay }
      : { href: formatDestination(destination), label: account.proof.cancel },
  });
  return visit.sendPage(status, page, needs);
}

function endingOf(
  visit: Visit,
  { messages }: Frame,
  ended: UpstreamEnding,
  label: string,
): Pick<UpstreamEnd, 'ending'> & { readonly status: number; readonly canRetry: boolean } {
  if (ended.kind !== 'refused') return { status: 403, ending: ended, canRetry: false };
  if (ended.retryAfterSeconds !== undefined) {
    const { retryAfterSeconds } = ended;
    const { status, problem } = visit.throttled({ retryAfterSeconds }, messages.signIn.throttled);
    return { status, ending: { kind: 'problem', text: problem }, canRetry: false };
  }
  const { status, problem } = problems[ended.reason] ?? { status: 400, problem: 'refused' };
  const text = messages.upstreams.problems[problem](label);
  return { status, ending: { kind: 'problem', text }, canRetry: problem !== 'unavailable' };
}
