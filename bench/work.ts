// What the load generator asks of a server, and what counts as a right answer.

import { createHash, randomBytes } from 'node:crypto';
import { type Connection, formRequest, getRequest } from './http-client.ts';

export interface Target {
  /** One for each instance of the server; the connections are spread over them. */
  readonly ports: readonly number[];
  readonly paths: { readonly authorize: string; readonly token: string; readonly userinfo: string };
  readonly client: { readonly id: string; readonly secret: string; readonly redirectUri: string };
  /** One of each for every grant and every person. Each request picks one at random. */
  readonly accessTokens: readonly string[];
  readonly refreshTokens: readonly string[];
  readonly cookies: readonly string[];
  /** What a proxy asks the gate, one for every session. */
  readonly checks?: readonly string[];
  /** What a flow asks for; `openid` unless the server needs more to do the same work. */
  readonly scope?: string;
  /** A refresh token works once, and the answer has its successor. Then each connection keeps to a grant of its own. */
  readonly rotates?: boolean;
}

/** `flow` is the three works after `check` in one; `first` is userinfo of an access token that hasn't been used before. */
export type Work = 'userinfo' | 'refresh' | 'flow' | 'check' | 'authorize' | 'exchange' | 'first';

/** What a step leaves to the next one of its flow. */
export class Unfinished {
  readonly codes: Code[] = [];
  readonly accessTokens: string[] = [];
}

interface Code {
  readonly code: string;
  readonly verifier: string;
}

/** Does the work once, and says whether every response was as expected. */
export type Step = () => Promise<boolean>;

export function stepOf(
  work: Work,
  target: Target,
  connection: Connection,
  number: number,
  unfinished = new Unfinished(),
): Step {
  if (work === 'userinfo') return userinfo(target, connection);
  if (work === 'check') return check(target, connection);
  if (work === 'refresh')
    return target.rotates ? rotatingRefresh(target, connection, number) : refresh(target, connection);
  const steps = stepsOfFlow(target, connection, unfinished);
  if (work !== 'flow') return steps[work];
  return async () => (await steps.authorize()) && (await steps.exchange()) && (await steps.first());
}

function userinfo({ paths, accessTokens }: Target, connection: Connection): Step {
  const requests = accessTokens.map((token) => getRequest(paths.userinfo, { Authorization: `Bearer ${token}` }));
  return async () => (await connection.request(oneOf(requests))).status === 200;
}

function check({ checks = [] }: Target, connection: Connection): Step {
  return async () => (await connection.request(oneOf(checks))).status === 200;
}

function refresh(target: Target, connection: Connection): Step {
  const requests = target.refreshTokens.map((token) => refreshRequest(target, token));
  return async () => (await connection.request(oneOf(requests))).status === 200;
}

function rotatingRefresh(target: Target, connection: Connection, number: number): Step {
  const first = target.refreshTokens[number];
  if (first === undefined) throw new Error('more connections than refresh tokens');
  let token = first;
  return async () => {
    const answer = await connection.request(refreshRequest(target, token));
    if (answer.status !== 200) return false;
    token = (JSON.parse(answer.body) as { refresh_token: string }).refresh_token;
    return true;
  };
}

function refreshRequest({ paths, client }: Target, token: string): string {
  return formRequest(paths.token, {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: client.id,
    client_secret: client.secret,
  });
}

function stepsOfFlow(
  { paths, client, cookies, scope = 'openid' }: Target,
  connection: Connection,
  { codes, accessTokens }: Unfinished,
): Readonly<Record<'authorize' | 'exchange' | 'first', Step>> {
  return {
    async authorize() {
      const verifier = randomBytes(32).toString('base64url');
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: client.id,
        redirect_uri: client.redirectUri,
        scope,
        state: 'state',
        nonce: 'nonce',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      });
      const authorized = await connection.request(
        getRequest(`${paths.authorize}?${query}`, { Cookie: oneOf(cookies) }),
      );
      const code = /[?&]code=([^&\s]+)/.exec(authorized.head)?.[1];
      if (code !== undefined) codes.push({ code: decodeURIComponent(code), verifier });
      return code !== undefined;
    },
    async exchange() {
      const next = codes.pop();
      if (next === undefined) return false;
      const exchange = await connection.request(
        formRequest(paths.token, {
          grant_type: 'authorization_code',
          code: next.code,
          redirect_uri: client.redirectUri,
          client_id: client.id,
          client_secret: client.secret,
          code_verifier: next.verifier,
        }),
      );
      if (exchange.status !== 200) return false;
      accessTokens.push((JSON.parse(exchange.body) as { access_token: string }).access_token);
      return true;
    },
    async first() {
      const token = accessTokens.pop();
      if (token === undefined) return false;
      const claims = await connection.request(getRequest(paths.userinfo, { Authorization: `Bearer ${token}` }));
      return claims.status === 200;
    },
  };
}

function oneOf(choices: readonly string[]): string {
  return choices[Math.floor(Math.random() * choices.length)] ?? '';
}
