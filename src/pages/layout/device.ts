// A device in the reader's language. It is stored in English, as protocol/sign-in/device-name.ts names it.

import type { Messages } from '../languages/languages.ts';

/** The second is what 0.3.0 and earlier wrote. */
const unknownBrowsers = ['Unknown browser', 'an unknown browser'];

export function deviceInWords({ device: m }: Messages, stored: string | null | undefined): string {
  const [browser = '', system] = (stored ?? '').split(' on ');
  if (browser === '' || unknownBrowsers.includes(browser))
    return system === undefined ? m.unknown : m.unknownOn(system);
  return system === undefined ? browser : m.on(browser, system);
}
