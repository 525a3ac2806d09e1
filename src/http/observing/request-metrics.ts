// Counts requests by route, method and status, and times them. A route is one of the few below, which most templates share;
// never the path that was sent. Whatever isn't in one of these sets counts as "other".

import type { Counter, Histogram, MetricRegistry } from '../../platform/metrics/registry.ts';

/** From userinfo on an idle machine to a sign-in behind a long queue. */
const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** For requests that no route takes, and for what isn't HTTP. */
export const noRoute = '(none)';

interface RouteClass {
  readonly route: string;
  /** Several are timed together. */
  readonly timedAs: string;
  readonly statuses: readonly number[];
}

const ofEndpoints = [200, 204, 400, 401, 405, 413, 414, 429, 500, 503];
const ofPages = [200, 301, 302, 303, 400, 403, 404, 413, 414, 429, 500, 503];
const ofFiles = [200, 301, 400, 404, 414, 500, 503];
const ofApi = [200, 201, 204, 400, 401, 403, 404, 405, 409, 413, 414, 429, 500, 503];
/** Preflights, and methods that a route doesn't take. */
const ofOtherMethods = [200, 204, 400, 404, 405, 500, 503];

const unroutable: RouteClass = {
  route: noRoute,
  timedAs: noRoute,
  statuses: [400, 404, 405, 408, 413, 414, 431, 500, 503],
};

/** By template; the first that fits applies. Without a route, a template is its own. New templates are "(other)". */
const classes: readonly [RegExp, Partial<RouteClass> & Pick<RouteClass, 'statuses'>][] = [
  [/^\/oauth\/(token|userinfo)$/, { statuses: ofEndpoints }],
  [/^\/oauth\/(revoke|jwks\.json)$/, { timedAs: '/oauth/*', statuses: ofEndpoints }],
  [/^\/\.well-known\/openid-configuration$/, { timedAs: '/oauth/*', statuses: ofEndpoints }],
  [/^\/\.well-known\//, { route: '/.well-known/*', timedAs: '/oauth/*', statuses: [200, 302, 405, 500, 503] }],
  [/^\/oauth-authorize(\.php)?$/, { route: '/oauth-authorize', statuses: ofPages }],
  [/^\/oauth-authorize\//, { route: '/oauth-authorize/*', timedAs: '/oauth-authorize', statuses: ofPages }],
  [/^\/sign-in(\/|$)/, { route: '/sign-in/*', statuses: ofPages }],
  [/^\/(sign-up|invitation|set-up)(\/|$)/, { route: '/sign-up/*', timedAs: '/sign-in/*', statuses: ofPages }],
  [/^\/(reset-password|recover)(\/|$)/, { route: '/reset-password/*', timedAs: '/sign-in/*', statuses: ofPages }],
  [/^\/account(\/|$)/, { route: '/account/*', statuses: ofPages }],
  [/^\/admin(\/|$)/, { route: '/admin/*', statuses: ofPages }],
  [/^\/(api|scim)(\/|$|\*)/, { route: '/api/*', statuses: ofApi }],
  [/^\/docs(\/|$)/, { route: '/docs/*', statuses: ofPages }],
  [/^\/(assets|pictures|logos|upstream-icons|brand)[/.]/, { route: '/assets/*', statuses: ofFiles }],
  [/^\/(healthz|readyz)$/, { timedAs: '(other)', statuses: ofFiles }],
  [/^/, { route: '(other)', statuses: ofPages }],
];

const knownMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export interface RouteMetrics {
  /** HEAD counts as GET. */
  count(method: string | undefined, status: number, milliseconds: number): void;
}

export interface RequestMetrics {
  /** Of a template that was registered. Without one, those of `noRoute`. */
  of(template: string | undefined): RouteMetrics;
}

/** `methods` are those of each route, by its template. */
export function requestMetrics(
  registry: MetricRegistry,
  methods: ReadonlyMap<string, Iterable<string>>,
): RequestMetrics {
  const folded = new Map([[noRoute, { ...unroutable, methods: new Set(['GET', 'POST', 'other']) }]]);
  for (const [template, own] of methods) {
    const routeClass = classOf(template);
    const known = folded.get(routeClass.route) ?? { ...routeClass, methods: new Set() };
    folded.set(routeClass.route, known);
    for (const method of own) known.methods.add(foldedMethod(method));
  }
  const counted = [...folded.values()];
  const series = counted.flatMap(({ route, statuses, methods }) =>
    [...methods].flatMap((method) => statusNames(method, statuses).map((status) => ({ route, method, status }))),
  );
  const requests = registry.counterOf('latchkey_http_requests_total', 'Requests that were answered.', series);
  const durations = registry.histogram(
    'latchkey_http_request_duration_seconds',
    'How long it took to answer a request, once it had arrived.',
    durationBounds,
    { route: [...new Set(counted.map(({ timedAs }) => timedAs))] },
  );
  const byRoute = new Map(counted.map((each) => [each.route, routeMetrics(each, each.methods, requests, durations)]));
  const none = byRoute.get(noRoute);
  if (none === undefined) throw new Error('there are no metrics for requests without a route');
  const byTemplate = new Map([[noRoute, none]]);
  return {
    of(template = noRoute) {
      const known = byTemplate.get(template);
      if (known !== undefined) return known;
      const found = byRoute.get(classOf(template).route) ?? none;
      byTemplate.set(template, found);
      return found;
    },
  };
}

function routeMetrics(
  { route, timedAs, statuses }: RouteClass,
  methods: ReadonlySet<string>,
  requests: Counter<{ route: string; method: string; status: string }>,
  durations: Histogram<{ route: string }>,
): RouteMetrics {
  const places = new Map(
    [...methods].map((method) => [
      method,
      new Map(statusNames(method, statuses).map((status) => [status, requests.placeOf({ route, method, status })])),
    ]),
  );
  const [anyMethod = new Map<string, number>()] = places.values();
  const duration = durations.placeOf({ route: timedAs });
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

function classOf(template: string): RouteClass {
  const found = classes.find(([pattern]) => pattern.test(template))?.[1];
  const route = found?.route ?? template;
  return { route, timedAs: found?.timedAs ?? route, statuses: found?.statuses ?? ofPages };
}

function statusNames(method: string, statuses: readonly number[]): string[] {
  const own =
    method === 'OPTIONS' || method === 'other' ? statuses.filter((each) => ofOtherMethods.includes(each)) : statuses;
  return [...own.map(String), 'other'];
}

function foldedMethod(method: string): string {
  if (method === 'HEAD') return 'GET';
  return knownMethods.includes(method) ? method : 'other';
}
