// What stored secrets are sealed for, so that a stolen database doesn't reveal them: moved to another row, one doesn't open.

import type { SealedKind } from '../storage/storage.ts';

const purposes: Readonly<Record<SealedKind, string>> = {
  authenticator: 'authenticator',
  email: 'mail',
  webhook_secret: 'webhook secret',
  upstream_secret: 'upstream secret',
};

export function sealPurpose(kind: SealedKind, id: string): string {
  return `${purposes[kind]} ${id}`;
}
