// What all responses share: cookies, redirects, pages and their headers.

import type { IncomingMessage, ServerResponse } from 'node:http';

export function cookie(request: IncomingMessage, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

export function setCookie(
  response: ServerResponse,
  name: string,
  value: string,
  maxAge: number,
  secure: boolean,
): void {
  const line = `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
  response.appendHeader('Set-Cookie', line);
}

export function redirect(response: ServerResponse, location: string): void {
  response.setHeader('Location', location);
  response.writeHead(303, { 'Cache-Control': 'no-store' }).end();
}

export function sendPage(response: ServerResponse, status: number, page: string, formTarget = ''): void {
  response.writeHead(status, pageHeaders(formTarget)).end(page);
}

/** Starts a page that is streamed. */
export function startPage(response: ServerResponse, beginning: string): void {
  response.writeHead(200, pageHeaders('')).write(beginning);
}

/**
 * `formTarget` is where a form may redirect to besides this application: browsers apply form-action to redirects too.
 */
function pageHeaders(formTarget: string): Record<string, string> {
  const policy = ["default-src 'none'", "style-src 'self'", 'img-src data:', `form-action 'self' ${formTarget}`];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [...policy, "base-uri 'none'", "frame-ancestors 'none'"].join('; '),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
  };
}
