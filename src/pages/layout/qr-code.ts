// A QR code as an inline SVG: nothing is fetched, so its content stays on the page.

import encodeQR from 'qr';
import { type Html, html } from './html.ts';

/** The quiet zone that scanners need, in modules. */
const border = 4;

export function qrCode(text: string, label: string): Html {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border });
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  const size = modules.length;
  return html`<svg viewBox="0 0 ${size} ${size}" width="232" height="232" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
}
