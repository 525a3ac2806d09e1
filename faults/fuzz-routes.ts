// Hostile requests to every operation of the API, every OAuth endpoint and every page, on both engines.

import { Api } from '../test/harness/api.ts';
import { startPostgres } from '../test/harness/postgres.ts';
import { startTestService } from '../test/harness/service.ts';
import { routesUnder } from '../test/harness/store.ts';
import { type Experiment, type Findings, inFolder, times } from './experiment.ts';
import { FuzzedService } from './fuzzed-service.ts';
import { hostileRequest, type Routes } from './hostile-requests.ts';
import { problemOf } from './judge.ts';
import { Random } from './random.ts';
import { exchange } from './raw-http.ts';
import { Tally } from './tally.ts';

const atOnce = 8;
const perScene = 1000;
/** In seconds. The slowest right answer takes one, to slow down guessing. */
const patience = 10;

type Say = (progress: string) => void;

export const fuzzRoutesEmbedded: Experiment = {
  name: 'fuzz-routes-embedded',
  title: 'Hostile requests, embedded store',
  run: ({ scale, say }) => inFolder((folder) => fuzz({ LATCHKEY_DATA_DIR: folder }, times(40_000, scale), say)),
};

export const fuzzRoutesPostgres: Experiment = {
  name: 'fuzz-routes-postgres',
  onlyInFull: true,
  title: 'Hostile requests, PostgreSQL',
  run: async ({ scale, say }) => {
    const postgres = await startPostgres();
    try {
      const database = await postgres.newDatabase();
      return await inFolder((folder) =>
        fuzz({ LATCHKEY_DATA_DIR: folder, DATABASE_URL: database }, times(30_000, scale), say),
      );
    } finally {
      await postgres.remove();
    }
  },
};

/** The routes as a service itself lists them, so that none is forgotten. */
async function allRoutes(): Promise<Routes> {
  const service = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
  try {
    const isPage = (route: string) => !/^\/(api|assets)/.test(route);
    const [gets, posts] = await Promise.all([routesUnder(service, '/', 'GET'), routesUnder(service, '/', 'POST')]);
    return { gets: gets.filter(isPage), posts: posts.filter(isPage), api: await Api.of(service) };
  } finally {
    await service.stop();
  }
}

async function fuzz(environment: Record<string, string>, requests: number, say: Say): Promise<Findings> {
  const routes = await allRoutes();
  const random = Random.fromEnvironment();
  say(`seed ${random.seed}`);
  const service = await FuzzedService.start(environment);
  const tally = new Tally();
  const allowed = ['http://localhost:9999/callback', `${service.served.url}/`];
  try {
    for (let sent = 0; sent < requests; ) {
      const scene = await service.newScene();
      const batch = Array.from({ length: Math.min(perScene, requests - sent) }, () =>
        hostileRequest(random, routes, scene),
      );
      let next = 0;
      const sender = async () => {
        for (let request = batch[next++]; request !== undefined; request = batch[next++]) {
          const { method, target, bytes, truncated, unanswerable } = request;
          const answer = await exchange(service.port, bytes, { halfClose: truncated, seconds: patience });
          const shown = () => JSON.stringify(bytes.toString('latin1').slice(0, 500));
          if (answer === 'timeout') tally.broken(`no answer within ${patience} s`, shown);
          else if (answer !== 'nothing') {
            tally.answered(answer.status);
            const problem = problemOf(method, target, answer, allowed);
            if (problem !== undefined) tally.broken(problem, shown);
          } else if (!unanswerable) tally.broken('closed without an answer', shown);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, sender));
      sent += batch.length;
      const problems = service.problems();
      for (const problem of problems) tally.broken(problem, () => `among requests ${sent - batch.length} to ${sent}`);
      if (problems.some((problem) => problem.startsWith('the service has ended'))) break;
      if (sent % 5000 === 0) say(`${sent} of ${requests} requests`);
    }
  } finally {
    await service.stop();
  }
  const { api, gets, posts } = routes;
  return {
    done: `${requests} requests, seed ${random.seed}, to ${api.operations.size} operations of the API, 5 OAuth endpoints and ${gets.length + posts.length} page routes`,
    checks: { responses: tally.responses },
    remarks: [`status (${tally.statuses()})`, 'headers', 'JSON', 'redirects', 'markup', 'log', 'time'],
    broken: tally.lines(),
  };
}
