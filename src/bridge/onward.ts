// How a browser that comes back from Latchkey goes on to the application. It comes with the form of a page that allows it to lead
// to the bridge and no further, and Chrome holds every redirect to that (form-action). A page begins anew.

import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

interface Onward {
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

const characters: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => characters[character] ?? '');

/** Says nothing in any language: people see it only if their browser doesn't follow it. */
export function onwardPage(url: string): Onward {
  const { host } = new URL(url);
  const [target, name] = [escaped(url), escaped(host)];
  const head = `<meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${target}"><title>${name}</title>`;
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      // The URL of this page has a code in it.
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
    body: `<!doctype html>${head}<a href="${target}">${name}</a>\n`,
  };
}

export function sendOnward(response: ServerResponse, url: string): void {
  const { headers, body } = onwardPage(url);
  response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
