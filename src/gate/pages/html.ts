// HTML of text that others chose. Hosts and accounts may have been picked to mislead.

import { replaceMisleading } from '../../protocol/reading/control-characters.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}

/** Longer than any email address or host name. */
const shownLimit = 320;

/**
 * A name that someone else chose, apart from the direction of the text around it. What shows nothing is shown as U+FFFD, so
 * that no name looks like another.
 */
export function foreignName(name: string): string {
  const shown = name.length > shownLimit ? `${name.slice(0, shownLimit)}…` : name;
  return `<bdi>${escapeHtml(replaceMisleading(shown.toWellFormed(), () => '\ufffd'))}</bdi>`;
}

/** A path on this host, as an attribute's value. What a browser would take for another host becomes the first page. */
export function ownPath(path: string): string {
  const base = 'https://gate.invalid';
  return escapeHtml(path.startsWith('/') && URL.parse(path, base)?.origin === base ? path : '/');
}
