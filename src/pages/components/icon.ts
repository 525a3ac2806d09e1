// Icons of the Heroicons set, inlined. They only accompany words, so screen readers skip them.

import { existsSync, readFileSync } from 'node:fs';
import { Html, html } from '../layout/html.ts';

export const iconNames = [
  'arrow-down-tray',
  'arrow-right',
  'arrow-right-start-on-rectangle',
  'bars-3',
  'bolt',
  'building-office',
  'chart-bar',
  'check-circle',
  'chevron-down',
  'chevron-left',
  'chevron-right',
  'chevron-up',
  'chevron-up-down',
  'circle-stack',
  'clock',
  'cog-6-tooth',
  'computer-desktop',
  'document-duplicate',
  'envelope',
  'exclamation-circle',
  'exclamation-triangle',
  'finger-print',
  'identification',
  'inbox',
  'information-circle',
  'key',
  'language',
  'link',
  'magnifying-glass',
  'no-symbol',
  'pause-circle',
  'pencil',
  'plus',
  'printer',
  'shield-check',
  'squares-2x2',
  'user-circle',
  'user-group',
  'user-plus',
  'users',
  'x-circle',
  'x-mark',
] as const;

export type IconName = (typeof iconNames)[number];

/** A release has those that are in use. */
const inRelease = new URL('../../bundle/icons/', import.meta.url);

const drawingsFolder = () =>
  existsSync(inRelease) ? inRelease : new URL(import.meta.resolve('heroicons/24/outline/x-mark.svg'));

/** Each is read once, when it's first drawn: finding all of them would take 10 ms of every start. */
const drawings = new Map<IconName, Html>();

/** Icons that point somewhere, and so point the other way where text runs from right to left. */
const pointing = /^(arrow-right|chevron-(left|right))/;

export function icon(name: IconName, size: 'normal' | 'small' = 'normal'): Html {
  const look = `icon${size === 'small' ? ' small' : ''}${pointing.test(name) ? ' pointing' : ''}`;
  return html`<svg class="${look}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true" focusable="false">${drawingOf(name)}</svg>`;
}

function drawingOf(name: IconName): Html {
  const known = drawings.get(name);
  if (known !== undefined) return known;
  const file = readFileSync(new URL(`${name}.svg`, drawingsFolder()), 'utf8');
  const drawing = new Html(file.replace(/^<svg[^>]*>\s*|\s*<\/svg>\s*$/g, '').replace(/\n\s*/g, ''));
  drawings.set(name, drawing);
  return drawing;
}
