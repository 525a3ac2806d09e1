// How much of a request is read, for pages and machines alike, and what browsers are told about https.

export const urlLimit = 8 * 1024;
export const bodyLimit = 16 * 1024;
/** Room for a URL at its limit, the Referer that repeats it, and cookies; what is larger is refused by Node (431). */
export const headerLimit = 32 * 1024;
/** How long a request may take to arrive, in milliseconds. */
export const requestTimeout = 30_000;
/** How long an idle connection is kept for the next request: longer than proxies keep theirs. */
export const keepAliveTimeout = 72_000;

export const strictTransport = 'max-age=31536000; includeSubDomains';
