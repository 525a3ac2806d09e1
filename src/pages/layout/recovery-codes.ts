// Recovery codes, which are shown once, with the buttons that copy, download and print them when there is JavaScript.

import { icon } from '../components/icon.ts';
import type { Frame } from './frame.ts';
import { type Html, html } from './html.ts';

export function recoveryCodes(frame: Frame, codes: readonly string[], email: string): Html {
  const m = frame.messages.account.codes;
  return html`<ul class="codes" id="recovery-codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<div class="actions code-actions">
<button class="small" type="button" data-copy="recovery-codes" data-copied="${m.copied}" hidden>${icon('document-duplicate', 'small')}${m.copy}</button>
<button class="small" type="button" data-download="recovery-codes" data-file="recovery-codes.txt" data-title="${m.file(frame.brand.name, email)}" hidden>${icon('arrow-down-tray', 'small')}${m.download}</button>
<button class="small" type="button" data-print hidden>${icon('printer', 'small')}${m.print}</button>
</div>`;
}
