// Sections of the service that most requests aren't for: the account, the console, the API, SCIM and the documentation. They're
// loaded with the first request for them, because together they are a fifth of the memory of an idle service and of its start.

import type { IncomingMessage, RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { HttpContext } from './context.ts';
import type { Log } from './failures.ts';
import type { RouteMetrics } from './observing/request-metrics.ts';

interface Section {
  readonly path: '/account' | '/admin' | '/api' | '/docs' | '/scim';
  /** What its requests are counted by. */
  readonly methods: readonly string[];
  load(): Promise<(app: FastifyInstance, context: HttpContext) => void>;
}

export const lateSections: readonly Section[] = [
  {
    path: '/account',
    methods: ['GET', 'POST'],
    load: async () => (await import('./account/account-routes.ts')).accountRoutes,
  },
  {
    path: '/admin',
    methods: ['GET', 'POST'],
    load: async () => (await import('./console/console-routes.ts')).consoleRoutes,
  },
  {
    path: '/api',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'],
    load: async () => (await import('./api/api-routes.ts')).apiRoutes,
  },
  {
    path: '/docs',
    methods: ['GET'],
    load: async () => (await import('./docs/docs-routes.ts')).docsRoutes,
  },
  {
    path: '/scim',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'other'],
    load: async () => (await import('./scim/scim-routes.ts')).scimRoutes,
  },
];

/** The template under which the requests for a section are counted. */
export const templateOf = ({ path }: Section) => `${path}/*`;

/** Undefined if the path is in none of them. */
export function sectionAt(url: string): Section | undefined {
  const [, found] =
    /^(\/account|\/admin|\/api|\/docs|\/scim)(?:[/?]|$)/.exec(url.includes('%') ? decoded(url) : url) ?? [];
  return lateSections.find(({ path }) => path === found);
}

/** As the framework's router reads a path. */
function decoded(url: string): string {
  try {
    return decodeURI(url.split('?')[0] ?? '');
  } catch {
    return url;
  }
}

interface SectionOptions {
  /** The section's framework, once it's loaded. */
  readonly frameworkOf: (section: Section) => Promise<Pick<FastifyInstance, 'routing'>>;
  readonly metricsOf: (template: string) => RouteMetrics;
  readonly log: () => Log;
}

/** Requests for other paths go to `pages`. */
export function withSections(
  pages: RequestListener<typeof IncomingMessage>,
  { frameworkOf, metricsOf, log }: SectionOptions,
): RequestListener<typeof IncomingMessage> {
  return (raw, to) => {
    const section = sectionAt(raw.url ?? '');
    if (section === undefined) return pages(raw, to);
    frameworkOf(section).then(
      ({ routing }) => routing(raw, to),
      (error: unknown) => {
        log().error({ err: error }, `${section.path} can't be loaded`);
        metricsOf(templateOf(section)).count(raw.method, 500, 0);
        to.writeHead(500, { 'Content-Length': 0, Connection: 'close' }).end();
      },
    );
  };
}
