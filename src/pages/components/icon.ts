// Icons of the Heroicons set, inlined. They only accompany words, so screen readers skip them.

import { readFileSync } from 'node:fs';
import { Html, html } from '../layout/html.ts';

export const iconNames = [
  ...([
    'arrow-down-tray',
    'arrow-path',
    'arrow-right',
    'arrow-right-start-on-rectangle',
    'arrow-top-right-on-square',
  ] as const),
  ...(['arrow-up-tray', 'bars-3', 'bell', 'book-open', 'calendar', 'chart-bar', 'check', 'check-circle'] as const),
  ...([
    'chevron-down',
    'chevron-left',
    'chevron-right',
    'chevron-up',
    'chevron-up-down',
    'circle-stack',
    'clock',
  ] as const),
  ...(['cog-6-tooth', 'computer-desktop', 'device-phone-mobile', 'document-duplicate', 'ellipsis-horizontal'] as const),
  ...([
    'envelope',
    'exclamation-circle',
    'exclamation-triangle',
    'eye',
    'eye-slash',
    'finger-print',
    'funnel',
  ] as const),
  ...(['globe-alt', 'home', 'identification', 'inbox', 'information-circle', 'key', 'language', 'link'] as const),
  ...([
    'lock-closed',
    'magnifying-glass',
    'minus-circle',
    'no-symbol',
    'paint-brush',
    'pause-circle',
    'pencil',
  ] as const),
  ...(['photo', 'plus', 'printer', 'question-mark-circle', 'shield-check', 'shield-exclamation'] as const),
  ...([
    'squares-2x2',
    'trash',
    'user',
    'user-circle',
    'user-group',
    'user-plus',
    'users',
    'x-circle',
    'x-mark',
  ] as const),
];

export type IconName = (typeof iconNames)[number];

/** The drawings, read once when the service starts. */
const drawings = new Map(iconNames.map((name) => [name, drawingOf(name)]));

/** Icons that point somewhere, and so point the other way where text runs from right to left. */
const pointing = /^(arrow-right|chevron-(left|right)|arrow-top-right)/;

export function icon(name: IconName, size: 'normal' | 'small' = 'normal'): Html {
  const look = `icon${size === 'small' ? ' small' : ''}${pointing.test(name) ? ' pointing' : ''}`;
  return html`<svg class="${look}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true" focusable="false">${drawings.get(name)}</svg>`;
}

function drawingOf(name: string): Html {
  const file = readFileSync(new URL(import.meta.resolve(`heroicons/24/outline/${name}.svg`)), 'utf8');
  return new Html(file.replace(/^<svg[^>]*>\s*|\s*<\/svg>\s*$/g, '').replace(/\n\s*/g, ''));
}
