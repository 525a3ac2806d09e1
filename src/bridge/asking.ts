// What Latchkey is asked on behalf of an application, and what its answers are for the application: an outage spends nothing
// and ends nothing, and a refusal is Latchkey's.

import type { Answer } from '../platform/relying-party/issuer.ts';
import type { Claims } from '../protocol/oauth/jwt.ts';
import type { Application, BridgeContext } from './context.ts';
import type { GrantFacts } from './grants.ts';
import { errors } from './library.ts';

/** Seconds after which it's worth trying again. */
export const retryAfter = 5;

export function oauthError(status: number, code: string, description?: string): Error {
  const error = new errors.CustomOIDCProviderError(code, description ?? '');
  return Object.assign(error, { status, statusCode: status, error_description: description, expose: true });
}

export function unavailable(): Error {
  return oauthError(503, 'temporarily_unavailable', 'Latchkey is not responding. Try again in a few seconds.');
}

export function applicationOf({ applications }: BridgeContext, clientId: string | undefined): Application {
  const application = applications.get(clientId ?? '');
  if (application === undefined) throw new Error('the client is in no section of the file');
  return application;
}

/** Undefined if the person, the application or the grant no longer has access. */
export async function claimsFrom(
  context: BridgeContext,
  application: Application,
  { accessToken, sub }: Pick<GrantFacts, 'accessToken' | 'sub'>,
): Promise<Claims | undefined> {
  const answer = await context.ask(() => context.issuer.claims(application.registration(), accessToken, sub));
  if (answer.kind === 'unanswered') throw unavailable();
  return answer.kind === 'answered' ? answer.value : undefined;
}

/** Ends a grant here, and at Latchkey unless it has ended there. */
export async function endGrant(context: BridgeContext, grantId: string, isRevoked: boolean): Promise<void> {
  const ended = context.grants.end(grantId);
  if (ended !== undefined && !isRevoked) await context.revoke([ended]);
}

/** Whether Latchkey doesn't accept what the operator has put into the secret's file. */
export function noticeRefusedSecret({ notice }: BridgeContext, clientId: string, answer: Answer<unknown>): void {
  if (answer.kind !== 'refused' || answer.error?.code !== 'invalid_client') return;
  notice('secret', 'Latchkey refuses the client ID and secret of an application', { client: clientId });
}
