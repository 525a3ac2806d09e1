// The first letter of a name, which stands in for a logo, and the favicon that is drawn from it. The favicon's path says
// everything that is in it, so any instance can serve it, even one that hasn't read the new name yet.

import { digestOf } from '../digest.ts';
import { accentColors, ownAccent } from './accent.ts';
import { isHexColor } from './color.ts';

/** What people see as one letter, which may be several characters. */
export function initialOf(name: string): string {
  const [initial] = new Intl.Segmenter().segment(name.trim().toUpperCase());
  return initial?.segment ?? '?';
}

export function monogramPath(name: string, accent: string = ownAccent): string {
  const letter = initialOf(name);
  const hash = digestOf(drawing(letter, accent)).slice(0, 12);
  return `/brand.${accent.slice(1).toLowerCase()}.${Buffer.from(letter).toString('hex')}.${hash}.svg`;
}

/** The favicon at a path; undefined if there is none, or it's from another version of the service. */
export function monogramAt(path: string): string | undefined {
  const [, color = '', hex = ''] = /^\/brand\.([0-9a-f]{6})\.([0-9a-f]{2,80})\.[\w-]{12}\.svg$/.exec(path) ?? [];
  const [accent, letter] = [`#${color}`, Buffer.from(hex, 'hex').toString()];
  return isHexColor(accent) && monogramPath(letter, accent) === path ? drawing(letter, accent) : undefined;
}

function drawing(letter: string, accent: string): string {
  const { fill, onFill } = accentColors(accent, 'light');
  const text = letter.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="${fill}"/><text x="12" y="17" text-anchor="middle" font-family="system-ui, sans-serif" font-size="14" font-weight="600" fill="${onFill}">${text}</text></svg>\n`;
}
