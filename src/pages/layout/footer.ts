// What stands at the foot of every page.

import type { Frame } from './frame.ts';
import { type Html, html } from './html.ts';
import { languagePicker } from './language-picker.ts';

export function footer(frame: Frame): Html | undefined {
  if (frame.returnTo === undefined) return undefined;
  return html`<footer class="footer">${languagePicker(frame.messages, frame.returnTo)}</footer>`;
}
