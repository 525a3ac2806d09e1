// Counts requests by route, method and status, and times them by route. A route is the template that was registered, or the
// section of the service that it belongs to; never the path that was sent. What is not in one of the sets below counts as "other".

import type { Counter, Histogram, MetricRegistry } from '../../platform/metrics/registry.ts';

/** From userinfo on an idle machine to a sign-in behind a long queue. */
const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** For requests that no route takes, and for what isn't HTTP. */
export const noRoute = '(none)';

/** The statuses that routes answer with; the first that fits a route applies. Each set keeps the number of series small. */
const statusesOf: readonly [RegExp, readonly number[]][] = [
  [/^\(none\)$/, [400, 404, 405, 408, 413, 414, 431, 500, 503]],
  [/^\/oauth\/(token|revoke|userinfo|jwks\.json)$|^\/\.well-known/, [200, 204, 400, 401, 405, 413, 414, 429, 500, 503]],
  [/^\/api\b/, [200, 201, 204, 400, 401, 403, 404, 405, 409, 413, 414, 429, 500, 503]],
  [/^\/assets\/|^\/(healthz|readyz)$/, [200, 400, 404, 414, 500, 503]],
  [/^/, [200, 301, 302, 303, 400, 403, 404, 413, 414, 429, 500, 503]],
];

const knownMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The many pages, operations and files of these are one route each. */
const sections = /^\/(admin|api|account|assets|docs|dev)(?=\/|$|\*)/;

export interface RouteMetrics {
  /** HEAD counts as GET. */
  count(method: string | undefined, status: number, milliseconds: number): void;
}

export interface RequestMetrics {
  /** The metrics of a template that was given to `requestMetrics`; those of `noRoute` for any other. */
  of(template: string | undefined): RouteMetrics;
}

/** `methods` are those of each route, by its template. */
export function requestMetrics(
  registry: MetricRegistry,
  methods: ReadonlyMap<string, Iterable<string>>,
): RequestMetrics {
  const folded = new Map<string, Set<string>>([[noRoute, new Set(['GET', 'POST', 'other'])]]);
  for (const [template, own] of methods) {
    const all = folded.get(routeOf(template)) ?? new Set();
    folded.set(routeOf(template), all);
    for (const method of own) all.add(foldedMethod(method));
  }
  const series = [...folded].flatMap(([route, own]) =>
    [...own].flatMap((method) => statusNamesOf(route).map((status) => ({ route, method, status }))),
  );
  const requests = registry.counterOf('latchkey_http_requests_total', 'Requests that were answered.', series);
  const durations = registry.histogram(
    'latchkey_http_request_duration_seconds',
    'How long it took to answer a request, once it had arrived.',
    durationBounds,
    { route: [...folded.keys()] },
  );
  const byRoute = new Map([...folded].map(([route, own]) => [route, routeMetrics(route, own, requests, durations)]));
  const none = byRoute.get(noRoute);
  if (none === undefined) throw new Error('there are no metrics for requests without a route');
  return {
    of: (template) => byRoute.get(template === undefined ? noRoute : routeOf(template)) ?? none,
  };
}

function routeMetrics(
  route: string,
  methods: ReadonlySet<string>,
  requests: Counter<{ route: string; method: string; status: string }>,
  durations: Histogram<{ route: string }>,
): RouteMetrics {
  const places = new Map(
    [...methods].map((method) => [
      method,
      new Map(statusNamesOf(route).map((status) => [status, requests.placeOf({ route, method, status })])),
    ]),
  );
  const [anyMethod = new Map<string, number>()] = places.values();
  const duration = durations.placeOf({ route });
  // Nearly all requests for a route have one method and one status.
  let lastMethod: string | undefined;
  let lastStatus = 0;
  let lastPlace = 0;
  const placeOf = (method: string, status: number) => {
    const own = places.get(foldedMethod(method)) ?? places.get('other') ?? anyMethod;
    return own.get(String(status)) ?? own.get('other') ?? 0;
  };
  return {
    count(method = '', status, milliseconds) {
      if (method !== lastMethod || status !== lastStatus) {
        lastMethod = method;
        lastStatus = status;
        lastPlace = placeOf(method, status);
      }
      requests.addAt(lastPlace);
      durations.observeAt(duration, milliseconds / 1000);
    },
  };
}

function statusNamesOf(route: string): string[] {
  const statuses = statusesOf.find(([pattern]) => pattern.test(route))?.[1] ?? [];
  return [...statuses.map(String), 'other'];
}

function routeOf(template: string): string {
  const section = sections.exec(template)?.[0];
  return section === undefined ? template : `${section}/*`;
}

function foldedMethod(method: string): string {
  if (method === 'HEAD') return 'GET';
  return knownMethods.includes(method) ? method : 'other';
}
