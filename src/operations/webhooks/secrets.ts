// The secrets that sign an endpoint's messages. They are shown once and kept sealed. Two are valid during a rotation, so
// that the receiver can take up the new one at any time before the earlier one ends.

import type { Requester } from '../../protocol/event.ts';
import { newWebhookSecret } from '../../protocol/webhooks/signing.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import type { Recording, Services } from '../services.ts';
import { eventAbout, findWebhook, unknownWebhook } from './endpoints.ts';
import { sealWebhookSecret } from './sealed-secret.ts';

const HOUR = 60 * 60 * 1000;
/** How long the earlier secret stays valid unless something else is asked for, and at most. */
export const earlierSecretHours = { standard: 24, most: 24 * 30 };

/** The new secret signs at once, next to the earlier one, which stays valid for some hours. It's shown this once. */
export async function rotateWebhookSecret(
  services: Recording & Pick<Services, 'random' | 'keys'>,
  id: string,
  requester: Requester,
  hours: number = earlierSecretHours.standard,
): Outcome<{ secret: string; earlierEndsAt: number }> {
  const { storage, clock, random, keys } = services;
  if (!(Number.isInteger(hours) && hours >= 0 && hours <= earlierSecretHours.most)) {
    return refused(`the previous secret can stay valid for 0 to ${earlierSecretHours.most} hours`);
  }
  const now = clock.now();
  const secret = newWebhookSecret(random);
  const sealed = sealWebhookSecret(keys, random, { endpointId: id, secret, now });
  const earlierEndsAt = now + hours * HOUR;
  const event = eventAbout(services, 'webhook_secret_rotated', id, requester);
  if (!(await storage.rotateWebhookSecret(sealed, earlierEndsAt, event))) return unknownWebhook(id);
  return { kind: 'done', secret, earlierEndsAt };
}

/** Ends the earlier secret before its time. */
export async function retireWebhookSecret(services: Recording, id: string, requester: Requester): Outcome<object> {
  const { storage, clock } = services;
  const event = eventAbout(services, 'webhook_secret_retired', id, requester);
  if (await storage.retireWebhookSecret(id, clock.now(), event)) return { kind: 'done' };
  const found = await findWebhook(services, id);
  return found.kind === 'refused' ? found : refused('the endpoint has only one secret', 'conflict');
}
