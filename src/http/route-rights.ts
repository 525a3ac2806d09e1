// Which right each route of administration needs, as the route itself says. Links and forms ask by the path that they lead to.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Right } from '../protocol/admin/rights.ts';

/** A right in administration, to be signed in and act on one's own account, or nothing at all. */
type Needs = Right | 'self' | 'nothing';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of every route of the console and the API. */
    readonly needs?: Needs;
  }
  interface FastifyInstance {
    readonly routeRights: RouteRights;
  }
}

/** What follows one segment of a path, by the next one. */
interface Place {
  readonly next: Map<string, Place>;
  readonly rights: Map<string, Right>;
}

/** Stands for a parameter of any name. */
const parameter = ':';

export class RouteRights {
  readonly #root = newPlace();

  /** `route` as it's registered, such as `/admin/people/:id/delete`. */
  add(method: string, route: string, right: Right): void {
    let place = this.#root;
    for (const segment of route.split('/')) {
      const name = segment.startsWith(parameter) ? parameter : segment;
      const next = place.next.get(name) ?? newPlace();
      place.next.set(name, next);
      place = next;
    }
    place.rights.set(method, right);
  }

  /** Undefined if the path needs none, such as one of a person's own account. */
  find(method: string, path: string): Right | undefined {
    return findIn(this.#root, method, path.split('/'), 0);
  }
}

function newPlace(): Place {
  return { next: new Map(), rights: new Map() };
}

/** The ID of the application that a request is about; undefined if its route is about none, or about all. */
export function applicationOf({ routeOptions, params }: FastifyRequest): string | undefined {
  const [, , list, segment = ''] = (routeOptions.url ?? '').split('/');
  if (list !== 'applications' || !segment.startsWith(parameter)) return undefined;
  return (params as Readonly<Record<string, string>>)[segment.slice(parameter.length)];
}

/** The ID of the application that a link or a form is about, by the path that it leads to. */
export function applicationIn(path: string): string | undefined {
  const [, , list, clientId] = path.split('/');
  return list === 'applications' ? clientId : undefined;
}

/** Like the router: a literal segment wins over a parameter, unless the rest of the path is only found behind the parameter. */
function findIn(place: Place | undefined, method: string, segments: readonly string[], at: number): Right | undefined {
  const segment = segments[at];
  if (place === undefined || segment === undefined) return place?.rights.get(method);
  return (
    findIn(place.next.get(segment), method, segments, at + 1) ??
    findIn(place.next.get(parameter), method, segments, at + 1)
  );
}

/** Comes before the routes. One of administration that doesn't say what it needs doesn't start. */
export function collectRights(app: FastifyInstance): void {
  const rights = new RouteRights();
  app.decorate('routeRights', rights);
  app.addHook('onRoute', ({ method, url, config }) => {
    const needs = config?.needs;
    if (needs === undefined && isAdministration(url)) throw new Error(`nothing says who may ${method} ${url}`);
    if (needs === undefined || needs === 'self' || needs === 'nothing') return;
    for (const each of [method].flat()) rights.add(each, url, needs);
  });
}

function isAdministration(url: string): boolean {
  const [, section] = url.split('/');
  return section === 'admin' || section === 'api';
}
