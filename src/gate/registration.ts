// The client that an application behind the gate is at Latchkey.

import type { Registration } from '../platform/relying-party/issuer.ts';
import type { GateApplication } from './config-file.ts';

export function registrationOf({ clientId, clientSecret }: GateApplication): Registration {
  return { clientId, secrets: [clientSecret] };
}
