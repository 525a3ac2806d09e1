// The load generator: receives a job from its parent process, sends requests for as long as it says, and answers with
// the figures. load.ts starts it.

import { createHash, randomBytes } from 'node:crypto';
import { Connection, formRequest, getRequest } from './http-client.ts';

export interface Target {
  readonly port: number;
  readonly paths: { readonly authorize: string; readonly token: string; readonly userinfo: string };
  readonly client: { readonly id: string; readonly secret: string; readonly redirectUri: string };
  /** One of each for every grant and every person. Each request picks one at random. */
  readonly accessTokens: readonly string[];
  readonly refreshTokens: readonly string[];
  readonly cookies: readonly string[];
}

export type Work = 'userinfo' | 'refresh' | 'flow';

export interface Job {
  readonly target: Target;
  readonly work: Work;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface Figures {
  readonly requests: number;
  readonly perSecond: number;
  readonly errors: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
}

process.on('message', async (job: Job) => {
  process.send?.(await run(job));
});

async function run(job: Job): Promise<Figures> {
  const latencies: number[] = [];
  let errors = 0;
  let measuring = false;
  let running = true;
  const connections = Array.from({ length: job.connections }, () => new Connection(job.target.port));
  const loops = connections.map(async (connection) => {
    const step = steps[job.work](job.target, connection);
    while (running) {
      const started = performance.now();
      const ok = await step().catch(() => false);
      if (!measuring) continue;
      if (ok) latencies.push(performance.now() - started);
      else errors++;
    }
  });
  await pause(job.warmUpMs);
  measuring = true;
  process.send?.('measuring');
  const started = performance.now();
  await pause(job.measureMs);
  measuring = false;
  const seconds = (performance.now() - started) / 1000;
  running = false;
  await Promise.all(loops);
  for (const connection of connections) connection.close();
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return {
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    errors,
    p50: percentile(0.5),
    p99: percentile(0.99),
    p999: percentile(0.999),
  };
}

/** Each returns a function that does the work once and says whether every response was as expected. */
const steps: Record<Work, (target: Target, connection: Connection) => () => Promise<boolean>> = {
  userinfo(target, connection) {
    const requests = target.accessTokens.map((token) =>
      getRequest(target.paths.userinfo, { Authorization: `Bearer ${token}` }),
    );
    return async () => (await connection.request(oneOf(requests))).status === 200;
  },

  refresh(target, connection) {
    const requests = target.refreshTokens.map((token) =>
      formRequest(target.paths.token, {
        grant_type: 'refresh_token',
        refresh_token: token,
        client_id: target.client.id,
        client_secret: target.client.secret,
      }),
    );
    return async () => (await connection.request(oneOf(requests))).status === 200;
  },

  flow(target, connection) {
    const { paths, client, cookies } = target;
    return async () => {
      const verifier = randomBytes(32).toString('base64url');
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: client.id,
        redirect_uri: client.redirectUri,
        scope: 'openid',
        state: 'state',
        nonce: 'nonce',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      });
      const authorized = await connection.request(
        getRequest(`${paths.authorize}?${query}`, { Cookie: oneOf(cookies) }),
      );
      const code = /[?&]code=([^&\s]+)/.exec(authorized.head)?.[1];
      if (code === undefined) return false;
      const exchange = await connection.request(
        formRequest(paths.token, {
          grant_type: 'authorization_code',
          code: decodeURIComponent(code),
          redirect_uri: client.redirectUri,
          client_id: client.id,
          client_secret: client.secret,
          code_verifier: verifier,
        }),
      );
      if (exchange.status !== 200) return false;
      const { access_token: token } = JSON.parse(exchange.body) as { access_token: string };
      const claims = await connection.request(getRequest(paths.userinfo, { Authorization: `Bearer ${token}` }));
      return claims.status === 200;
    };
  },
};

function oneOf(choices: readonly string[]): string {
  return choices[Math.floor(Math.random() * choices.length)] ?? '';
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
