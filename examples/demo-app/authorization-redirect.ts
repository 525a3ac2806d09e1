// Records the redirect of the published authorization URL, which only the browser would see. The application requests the
// URL once itself, without a session and without following the redirect, which changes nothing at Latchkey.

import { send } from './http-exchange.ts';
import type { Recording } from './recording.ts';
import { steps } from './steps.ts';

export async function recordRedirect(authorizationUrl: string, recording: Recording): Promise<void> {
  const { location, step } = await send({ url: authorizationUrl }, steps.redirect, recording);
  const sent = query(authorizationUrl);
  const ok = query(location ?? '') === sent;
  const detail = ok ? `${sent.length} characters` : 'it was changed';
  step.checks = [{ name: 'query', rule: 'is unchanged', ok, detail }];
}

function query(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}
