// A reverse proxy that asks Latchkey's gate before it lets a request through: what nginx, Caddy and Traefik do with a few lines of
// configuration (docs/gate.md), spelled out. What isn't let through never reaches the page.

import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type RequestOptions,
  type ServerResponse,
  request as send,
} from 'node:http';

/** Who is there, according to the gate. The page believes these headers, so they must never come from a browser. */
export const identityHeaders = ['remote-user', 'remote-email', 'remote-name', 'remote-groups'];

/** Signing in and out: pages of the gate itself, on the application's host. The rest of the gate is for proxies only. */
const gatePaths = /^\/gate\/(sign-in|callback|sign-out|backchannel-logout)(\?|$)/;

/** About one connection, so not passed on. Transfer-Encoding is: it says that there is a body. */
const connectionHeaders = ['connection', 'expect', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade'];

/** Both listen on this machine. The gate believes this proxy because its `trusted_proxies` has the proxy's IP address. */
export function gatedProxy(gatePort: number, pagePort: number): RequestListener {
  return async (request, response) => {
    const { method = 'GET', url = '' } = request;
    // The gate and the page must read the same path. Anything else than a path, such as a whole URL, is read in several ways.
    if (!url.startsWith('/')) return void response.writeHead(400).end();
    // Whoever closes the page doesn't need an answer any more.
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const ask = (options: RequestOptions, body?: IncomingMessage) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const asked = send({ host: '127.0.0.1', signal: gone.signal, ...options }, resolve).on('error', reject);
        if (body) body.pipe(asked);
        else asked.end();
      });
    const headers = forwardedHeaders(request);
    try {
      if (gatePaths.test(url)) {
        return passOn(await ask({ port: gatePort, method, path: url, headers }, request), response);
      }
      if (url.startsWith('/gate/')) return void response.writeHead(404).end();
      // The question is about the request's headers and has no body.
      const { 'content-length': _length, 'transfer-encoding': _encoding, ...question } = headers;
      const verdict = await ask({ port: gatePort, path: '/gate/check', headers: question });
      // A redirect to the sign-in page, 401 for programs, or a page that says why not. Its headers and body are for the browser.
      if (verdict.statusCode !== 200) return passOn(verdict, response);
      verdict.resume();
      // The gate sends all of them with every 200, empty if there's no value.
      for (const name of identityHeaders) headers[name] = verdict.headers[name] ?? '';
      passOn(await ask({ port: pagePort, method, path: url, headers }, request), response);
    } catch {
      // If the gate can't be asked, nobody gets in.
      if (!response.headersSent) response.writeHead(502, { 'Content-Type': 'text/plain' }).end('Bad gateway.\n');
    }
  };
}

/** The browser's headers without what only a proxy may say, plus what this one says. */
function forwardedHeaders({ headers, method, url, socket }: IncomingMessage): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => {
    // Node writes names in lower case. To many programs, Remote_User and Remote.User are Remote-User, too.
    const spelled = name.replace(/[^a-z0-9]/g, '-');
    return (
      !identityHeaders.includes(spelled) && !spelled.startsWith('x-forwarded-') && !connectionHeaders.includes(name)
    );
  });
  return {
    ...Object.fromEntries(kept),
    'x-forwarded-method': method,
    'x-forwarded-uri': url,
    'x-forwarded-host': headers.host,
    // A proxy with a certificate says https here. The gate accepts http for localhost only.
    'x-forwarded-proto': 'http',
    'x-forwarded-for': socket.remoteAddress,
  };
}

function passOn(answer: IncomingMessage, response: ServerResponse): void {
  const headers = Object.entries(answer.headers).filter(
    ([name]) => name !== 'transfer-encoding' && !connectionHeaders.includes(name),
  );
  response.writeHead(answer.statusCode ?? 502, Object.fromEntries(headers));
  answer.on('error', () => response.destroy()).pipe(response);
}
