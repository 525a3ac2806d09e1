// Requests that a stranger could send: any method, path, query and header, valid HTTP or not, many at a time over a few
// connections.

import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH', 'QUERY'];
/** Those that are most often asked for, and cheap, so that so many requests take seconds. */
const paths = [
  '/oauth/userinfo',
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/jwks.json',
  '/.well-known/openid-configuration',
];
const prefixes = ['/', '/admin/people/', '/api/people/', '/docs/', '/assets/', '/logos/', '/oauth/', '/sign-in/', '/%'];

/** One in so many is for a path of its own, which is answered with a page. */
const ownPathEvery = 100;
const atOnce = 200;

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;
const word = () => randomBytes(6).toString('base64url');

function randomRequest(number: number): string {
  const path = number % ownPathEvery === 0 ? `${pick(prefixes)}${word()}` : pick(paths);
  const query = Math.random() < 0.3 ? `?${word()}=${word()}` : '';
  const method = pick(methods);
  const headers = [
    'Host: localhost',
    `X-${word().replaceAll('_', '-')}: ${word()}`,
    `User-Agent: ${word()}`,
    `traceparent: 00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
    ...(Math.random() < 0.5 ? [`Authorization: Bearer ${word()}`] : []),
    ...(method === 'POST' ? ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 16'] : []),
  ];
  const body = method === 'POST' ? `grant_type=${word().slice(0, 5)}` : '';
  return `${method} ${path}${query} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
}

/** Sends so many requests, and resolves when each of them is answered. */
export async function sendRandomRequests(port: number, count: number, connections = 4): Promise<void> {
  const share = Math.ceil(count / connections);
  await Promise.all(Array.from({ length: connections }, () => sendOver(port, share)));
}

function sendOver(port: number, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let sent = 0;
    let answered = 0;
    let tail = '';
    const send = () => {
      const requests = Array.from({ length: Math.min(atOnce, count - sent) }, () => randomRequest(sent++));
      socket.write(requests.join(''));
    };
    socket.on('data', (chunk) => {
      const text = tail + chunk.toString('latin1');
      let end = 0;
      for (const match of text.matchAll(/HTTP\/1\.1 \d{3} /g)) {
        answered++;
        end = match.index + match[0].length;
      }
      // It may end with the beginning of a status line.
      tail = text.slice(Math.max(end, text.length - 12));
      if (answered >= count) socket.end();
      else if (answered >= sent) send();
    });
    socket.once('error', reject);
    socket.once('close', () => (answered >= count ? resolve() : reject(new Error(`${answered} of ${count} answered`))));
    socket.once('connect', send);
  });
}
