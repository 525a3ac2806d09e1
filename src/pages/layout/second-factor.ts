// What a person gets while they set up a second factor: a QR code, and recovery codes, which are shown once.

import { createRequire } from 'node:module';
import { icon } from '../components/icon.ts';
import { type Html, html } from './html.ts';
import type { Frame } from './layout.ts';

const load = createRequire(import.meta.url);

/** The quiet zone that scanners need, in modules. */
const border = 4;

export interface AuthenticatorKey {
  /** What the QR code holds. */
  readonly uri: string;
  /** For typing it in. */
  readonly key: string;
}

/** The key of an authenticator app in all ways to get it there: to scan, to open on the phone itself, to copy and to type. */
export function authenticatorKey({ messages }: Frame, { uri, key }: AuthenticatorKey): Html {
  const { authenticator: m, codes } = messages.account;
  return html`<p class="on-phones"><a class="button" href="${uri}">${m.open}</a></p>
<div class="qr">${qrCode(uri, m.alt)}</div>
<p>${m.orType}<br><code class="key" id="authenticator-key" data-value="${key}">${key.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
<p><button class="small" type="button" data-copy="authenticator-key" data-copied="${codes.copied}" hidden>${icon('document-duplicate', 'small')}${m.copy}</button></p>`;
}

/** An inline SVG: nothing is fetched, so its content stays on the page. */
function qrCode(text: string, label: string): Html {
  // Loaded by the first who sets up an authenticator app.
  const { default: encodeQR } = load('qr') as typeof import('qr');
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border });
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  const size = modules.length;
  return html`<svg viewBox="0 0 ${size} ${size}" width="232" height="232" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
}

/** With buttons that copy, download and print them when there is JavaScript. */
export function recoveryCodes(frame: Frame, codes: readonly string[], email: string): Html {
  const m = frame.messages.account.codes;
  return html`<ul class="codes" id="recovery-codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<div class="actions code-actions">
<button class="small" type="button" data-copy="recovery-codes" data-copied="${m.copied}" hidden>${icon('document-duplicate', 'small')}${m.copy}</button>
<button class="small" type="button" data-download="recovery-codes" data-file="recovery-codes.txt" data-title="${m.file(frame.brand.name, email)}" hidden>${icon('arrow-down-tray', 'small')}${m.download}</button>
<button class="small" type="button" data-print hidden>${icon('printer', 'small')}${m.print}</button>
</div>`;
}
