// How messages for an endpoint are put together, and what its responses mean: webhooks, which an endpoint's own secrets sign, and
// back-channel logout, which the client's secret signs. When and where they're sent is the same for both (webhook-queue.ts).

import type { Clock } from '../../platform/clock.ts';
import type { ServiceKeys } from '../../platform/keys.ts';
import { quoted } from '../../protocol/event.ts';
import { newId, type RandomBytes } from '../../protocol/identifiers.ts';
import { formatSid } from '../../protocol/oauth/id-token-hint.ts';
import { issueLogoutToken } from '../../protocol/oauth/logout-token.ts';
import { webhookBody } from '../../protocol/webhooks/messages.ts';
import { logoutRetryAfter, retryAfter } from '../../protocol/webhooks/schedule.ts';
import { webhookSignature } from '../../protocol/webhooks/signing.ts';
import type { ClaimedEndpoint, LogoutData, Storage, WebhookDelivery } from '../../storage/storage.ts';
import { sealPurpose } from '../seal-purposes.ts';
import { openStates } from './secret-states.ts';

export interface ChannelParts {
  readonly issuer: string;
  readonly storage: Storage;
  readonly keys: ServiceKeys;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/**
 * What an attempt has led to. `rejected`: the endpoint works, and trying again is of no use. `unsigned`: nothing was sent, which isn't
 * the endpoint's fault.
 */
export type Verdict = 'accepted' | 'rejected' | 'gone' | 'failed' | 'unsigned';

export interface Channel {
  /** Why nothing can be sent, as a phrase; undefined if it can. */
  readonly problem: string | undefined;
  /** A new one for each attempt. */
  compose(delivery: WebhookDelivery): { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** Null when there was no response. */
  judge(status: number | null): Verdict;
  /** What is kept of a response. */
  shown(response: string): string | null;
  retryAfter(attempts: number, chance: number): number | undefined;
}

export function channelTo(parts: ChannelParts, endpoint: ClaimedEndpoint): Promise<Channel> {
  return endpoint.purpose === 'logout' ? logoutChannel(parts, endpoint) : webhookChannel(parts, endpoint);
}

async function webhookChannel(parts: ChannelParts, endpoint: ClaimedEndpoint): Promise<Channel> {
  const secrets = await secretsOf(parts, endpoint);
  return {
    problem: secrets.length > 0 ? undefined : 'the secret was sealed with a key that this instance does not have',
    compose({ id, type, data, at }) {
      const body = webhookBody({ type, data: JSON.parse(data) }, at);
      const timestamp = Math.floor(parts.clock.now() / 1000);
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': webhookSignature(secrets, { id, timestamp, body }),
      };
      return { headers, body };
    },
    judge(status) {
      if (status === 410) return 'gone';
      return status !== null && status >= 200 && status < 300 ? 'accepted' : 'failed';
    },
    shown: shownResponse,
    retryAfter,
  };
}

/** Those that are valid, the current one first. One that can't be opened is left out. */
async function secretsOf({ storage, keys, clock }: ChannelParts, { id }: ClaimedEndpoint): Promise<string[]> {
  const secrets = await storage.listWebhookSecrets(id);
  const now = clock.now();
  return secrets
    .filter(({ endsAt }) => endsAt === null || endsAt > now)
    .flatMap((secret) => keys.unseal(sealPurpose('webhook_secret', secret.id), secret.sealed) ?? []);
}

const longestResponse = 1000;

/** The beginning of a response in its lines, without what could mislead its reader. */
function shownResponse(text: string): string {
  const lines = text.slice(0, longestResponse).replaceAll('\t', ' ').split(/\r?\n/);
  return lines.map(quoted).join('\n');
}

/** What the queue says about a message that nothing has signed. */
export const waitingForSecret = 'the application has not presented its secret yet';

async function logoutChannel(parts: ChannelParts, { clientId }: ClaimedEndpoint): Promise<Channel> {
  const { issuer, storage, keys, clock, random } = parts;
  const client = clientId === null ? undefined : await storage.findClient(clientId);
  const { states, unusable } = client === undefined ? { states: undefined, unusable: [] } : openStates(parts, client);
  for (const each of unusable) if (client !== undefined) await storage.dropSecretStates(client.id, each);
  return {
    problem: states === undefined ? waitingForSecret : undefined,
    compose({ userId, clientId, data }) {
      const { grant, sid_key }: LogoutData = JSON.parse(data);
      const subject = { issuer, clientId: clientId ?? '', userId: userId ?? '', grantId: grant };
      const sid = formatSid(subject, keys.sidKey(sid_key));
      const token = issueLogoutToken({ ...subject, sid, tokenId: newId(random) }, states ?? '', clock.now());
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return { headers, body: new URLSearchParams({ logout_token: token }).toString() };
    },
    judge(status) {
      if (states === undefined) return 'unsigned';
      if (status === 200 || status === 204) return 'accepted';
      return status === 400 ? 'rejected' : 'failed';
    },
    // It may say something about people, whom those who manage applications alone don't see.
    shown: () => null,
    retryAfter: logoutRetryAfter,
  };
}
