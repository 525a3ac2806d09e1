// Links as emails carry them.

import { newLink } from '../../src/operations/email-links/links.ts';
import type { LinkPurpose } from '../../src/storage/storage.ts';
import type { TestService } from './service.ts';

/** The secret of a valid link. */
export async function keptLink(
  service: TestService,
  purpose: LinkPurpose,
  userId: string | null,
  email: string,
): Promise<string> {
  const { emailQueue, emailsFor } = service.running.services;
  const factor = { kind: 'recovery_codes', createdAt: 0 } as const;
  // A link that resets a password is for the address that it was sent to.
  const about = purpose === 'reset_password' || purpose === 'recover' ? {} : { email };
  const data = purpose === 'undo_factor' ? { factor } : purpose === 'set_up_factor' ? { sessionGeneration: 0 } : about;
  const { link, url } = newLink(service.running.services, purpose, userId, data);
  await emailQueue.queue(emailsFor('en').confirmAddress({ to: email, url }), link);
  return new URL(url).searchParams.get('link') ?? '';
}
