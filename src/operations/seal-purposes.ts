// What stored secrets are sealed for, so that a stolen database doesn't reveal them: moved to another row, one doesn't open.

import type { SealKind, SealPurpose } from '../protocol/purposes.ts';
import type { SealedKind } from '../storage/storage.ts';

const purposes: Readonly<Record<SealedKind, SealKind>> = {
  authenticator: 'authenticator',
  email: 'mail',
  webhook_secret: 'webhook secret',
  upstream_secret: 'upstream secret',
  // A rotation moves the text from one to the other. It names its secret itself.
  secret_states: 'secret states',
  old_secret_states: 'secret states',
  deleted_id_key: 'deleted id key',
};

export function sealPurpose(kind: SealedKind, id: string): SealPurpose {
  return `${purposes[kind]} ${id}`;
}
