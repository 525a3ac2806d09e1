// The 301 of the authorization address, which only the browser sees on its way. The application asks for the address
// once itself, without a session and without going on, to show what comes: that changes nothing at Latchkey.

import { send } from './http-exchange.ts';
import type { Recording } from './recording.ts';
import { steps } from './steps.ts';

export async function recordRedirect(authorizationUrl: string, recording: Recording): Promise<void> {
  const { location, step } = await send({ url: authorizationUrl }, steps.redirect, recording);
  const sent = query(authorizationUrl);
  const ok = query(location ?? '') === sent;
  const detail = ok ? `${sent.length} characters` : 'it has changed';
  step.checks = [{ name: 'query', rule: 'is the same, byte for byte', ok, detail }];
}

function query(address: string): string {
  const mark = address.indexOf('?');
  return mark < 0 ? '' : address.slice(mark + 1);
}
