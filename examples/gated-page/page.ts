// The page behind the gate. It has no sign-in code: no library, no session, no tokens. The proxy says in headers who
// it is, with each request.

import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { escapeText, page } from '../demo-app/html.ts';
import { identityHeaders } from './proxy.ts';

export interface Links {
  /** This page, as a browser opens it. */
  readonly page: string;
  readonly latchkey: string;
  readonly demoApp: string;
}

const style = readFileSync(new URL('../demo-app/style.css', import.meta.url), 'utf8');

export function pageServer(links: Links): RequestListener {
  return ({ url = '', headers }, response) => {
    const [path] = url.split('?');
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { ...securityHeaders, 'Content-Type': `${type}; charset=utf-8` }).end(body);
    if (path === '/') send(200, 'text/html', greeting(headers, links));
    else if (path === '/style.css') send(200, 'text/css', style);
    else send(404, 'text/plain', 'Not found.\n');
  };
}

const securityHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  // It's about one person. A copy in the browser's cache would be there after they've signed out.
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

function greeting(headers: IncomingHttpHeaders, links: Links): string {
  const identity = identityHeaders.map((name) => [name, text(headers[name])] as const);
  const others = Object.entries(headers).filter(([name]) => !identityHeaders.includes(name));
  const { 'remote-name': name, 'remote-email': email } = Object.fromEntries(identity);
  return page(
    'A page behind the gate',
    `<h1>Hello, ${escapeText(name || email || 'you')}</h1>
    <p>This page has no sign-in code. A proxy asked Latchkey’s gate about your request, and then told the page who you are:</p>
    ${table(identity)}
    <p class="actions"><a class="button" href="/gate/sign-out">Sign out</a>
      <a class="button second" href="${escapeText(links.demoApp)}/inspector">Back to the inspector</a></p>
    <h2>What happened</h2>
    <ol>
      <li>Your browser asked for this page. Before the proxy let the request through, it asked the gate:
        <code>GET /gate/check</code>.</li>
      <li>You weren’t signed in, so the gate sent you to Latchkey. To Latchkey, the gate is an application like any other.</li>
      <li>You came back to <code>/gate/callback</code>. The gate keeps your tokens, and your browser only has a random cookie.</li>
      <li>Now the gate lets you through, and the proxy adds the headers above to each request. If your browser sends any of them itself,
        they’re dropped.</li>
    </ol>
    <h2>Try it</h2>
    <ul>
      <li>Remove “Gated page” under <a href="${escapeText(links.latchkey)}/account/apps">Connected apps</a>, wait for half a minute, and
        reload this page: you’re asked whether it may sign you in.</li>
      <li>Sign out at <a href="${escapeText(links.latchkey)}/account">Latchkey</a>: you’re signed out here, too.</li>
      <li>Run <code>curl -i ${escapeText(links.page)}/</code> in a terminal: a program gets 401 instead of a sign-in page.</li>
    </ul>
    <p>To put your own applications behind it, read about <a href="${escapeText(links.latchkey)}/docs/gate">the gate</a>.</p>
    <details><summary>All other headers that this page received</summary>
    ${table(others.map(([name, value]) => [name, name === 'cookie' ? masked(text(value)) : text(value)]))}</details>`,
  );
}

function table(rows: readonly (readonly [name: string, value: string])[]): string {
  const lines = rows.map(
    ([name, value]) => `<tr><th scope="row">${escapeText(name)}</th><td>${escapeText(value)}</td></tr>`,
  );
  return `<table>${lines.join('\n')}</table>`;
}

/** Node reads each byte of a header as a character. The gate writes UTF-8. */
function text(value: string | string[] | undefined): string {
  return Buffer.from([value ?? ''].flat().join(', '), 'latin1').toString('utf8');
}

/** A page that shows cookies shows them to whoever looks over your shoulder. */
function masked(cookies: string): string {
  return cookies.replace(/=[^;]*/g, '=•••');
}
