// Limits on requests and connections, and the HSTS header: shared by the pages and the OAuth endpoints.

export const urlLimit = 8 * 1024;
export const bodyLimit = 16 * 1024;
/** Enough for a URL at its limit, a Referer that repeats it, and cookies. Node refuses larger headers with 431. */
export const headerLimit = 32 * 1024;
/** How long a client may take to send a request, in milliseconds. */
export const requestTimeout = 30_000;
/** Node looks for slow requests every 30 seconds, which would double their time. This is what may come on top. */
export const requestTimeoutTolerance = 1 / 30;
/** How long an idle connection stays open, in milliseconds: longer than proxies keep theirs, so that they close first. */
export const keepAliveTimeout = 72_000;

export const strictTransport = 'max-age=31536000; includeSubDomains';
