// What the bridge costs beside the library that it's built on: CPU of an exchange and of userinfo, next to a bare oidc-provider in
// memory that signs with the same algorithm. They take turns, a slice each. What Latchkey does for the bridge meanwhile is counted
// for itself, and neither signs anyone in while it's measured.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BridgeVisitor, type TestBridge } from '../test/harness/bridge.ts';
import { root, runCommand } from '../test/harness/command.ts';
import { newVerifier } from '../test/harness/relying-party.ts';
import { populate, Served } from '../test/harness/served.ts';
import { freePort } from '../test/harness/service.ts';
import { countCpu, processTree } from './cpu.ts';
import { median } from './median.ts';
import { newCodeOfOidcProvider, startOidcProvider } from './peers.ts';
import { redirectUri, startProcess, stopProcess, treeOf } from './server-process.ts';

const perSlice = 40;
const userinfoPerExchange = 5;
const connections = 8;
const warmUp = 5;
/** Who get codes in turn: the approvals of one person are limited. */
const people = 12;

interface Measured {
  readonly name: string;
  readonly url: string;
  readonly paths: { readonly token: string; readonly userinfo: string };
  readonly client: { readonly id: string; readonly secret: string };
  /** Of each group of processes: the server's, then those that work for it. */
  readonly processes: readonly (() => readonly number[])[];
  newCode(verifier: string): Promise<string>;
  stop(): Promise<void>;
}

/** Microseconds of CPU, of the server and of what works for it. */
export interface BridgeCost {
  readonly server: string;
  readonly exchange: readonly number[];
  readonly userinfo: readonly number[];
}

export async function measureBridge(rounds: number): Promise<readonly BridgeCost[]> {
  const servers = [await startBridge(), await startBare()];
  try {
    const costs = servers.map(({ name }) => ({ name, exchange: [] as number[][], userinfo: [] as number[][] }));
    for (let round = -warmUp; round < rounds; round++) {
      for (const [index, server] of servers.entries()) {
        const { exchange, userinfo } = await slice(server);
        if (round >= 0) costs[index]?.exchange.push(exchange);
        if (round >= 0) costs[index]?.userinfo.push(userinfo);
      }
    }
    const medians = (slices: number[][]) =>
      (slices[0] ?? []).map((_, group) => Math.round(median(slices.map((each) => each[group] ?? Number.NaN))));
    return costs.map(({ name, exchange, userinfo }) => ({
      server: name,
      exchange: medians(exchange),
      userinfo: medians(userinfo),
    }));
  } finally {
    for (const server of servers) await server.stop();
  }
}

export function bridgeTable(costs: readonly BridgeCost[]): string {
  const shown = ([server = Number.NaN, latchkey]: readonly number[]) =>
    latchkey === undefined ? `${server} µs` : `${server} µs, and ${latchkey} µs at Latchkey`;
  const rows = costs.map(({ server, exchange, userinfo }) => `| ${server} | ${shown(exchange)} | ${shown(userinfo)} |`);
  return ['| CPU of one | exchange | userinfo |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

async function slice(server: Measured) {
  const codes: { readonly code: string; readonly verifier: string }[] = [];
  for (let count = 0; count < perSlice; count++) {
    const verifier = newVerifier();
    codes.push({ code: await server.newCode(verifier), verifier });
  }
  const tokens: string[] = [];
  const exchange = await costOf(server, codes, async ({ code, verifier }) => {
    const { id: client_id, secret: client_secret } = server.client;
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
    const body = new URLSearchParams({ ...grant, client_id, client_secret });
    const response = await fetch(server.url + server.paths.token, { method: 'POST', body });
    const answer = (await response.json()) as { access_token?: string };
    if (answer.access_token === undefined) throw new Error(`${server.name}: ${JSON.stringify(answer)}`);
    tokens.push(answer.access_token);
  });
  const asked = Array.from({ length: userinfoPerExchange }, () => tokens).flat();
  const userinfo = await costOf(server, asked, async (token) => {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(server.url + server.paths.userinfo, { headers });
    if (response.status !== 200) throw new Error(`${server.name}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  });
  return { exchange, userinfo };
}

/** Microseconds of CPU for each item, by group of processes. */
async function costOf<Item>(
  { processes }: Measured,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<number[]> {
  const used = processes.map(countCpu);
  const left = items.values();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const item of left) await work(item);
    }),
  );
  return used.map((count) => count() / items.length);
}

async function startBridge(): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-bridge-'));
  const latchkey = await Served.at({ LATCHKEY_DATA_DIR: join(folder, 'data') });
  const { users } = await populate(latchkey.environment, people);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const create = ['client', 'create', '--name', 'Vault', '--redirect-uri', `${url}/callback`, '--json'];
  const { stdout, stderr } = await runCommand(create, latchkey.environment);
  if (stdout === '') throw new Error(stderr);
  const { client_id: id = '', client_secret: secret = '' } = JSON.parse(stdout) as Record<string, string>;
  writeFileSync(join(folder, 'secret'), secret, { mode: 0o600 });
  const config = join(folder, 'bridge.json');
  const section = { client_id: id, client_secret: { file: 'secret' }, redirect_uris: [redirectUri] };
  const places = { data_dir: 'bridge', key_file: 'key', listen: `127.0.0.1:${port}` };
  writeFileSync(config, JSON.stringify({ base_url: url, issuer: latchkey.url, ...places, applications: [section] }));
  await latchkey.start();
  const args = ['bridge', 'serve', '--config', config];
  const child = await startProcess(args, /The bridge is running at/, { program: join(root, 'latchkey') });
  const bridge = { url, config: { baseUrl: url }, application: { clientId: id } } as TestBridge;
  const visitors = users.map((user) => {
    const visitor = new BridgeVisitor(bridge, latchkey.service);
    return { authorize: (verifier: string) => visitor.authorize(user, verifier) };
  });
  let count = 0;
  const { pid: ofLatchkey = 0 } = latchkey.child ?? {};
  return {
    name: 'the bridge',
    url,
    paths: { token: '/token', userinfo: '/userinfo' },
    client: { id, secret },
    processes: [treeOf(child), () => processTree(ofLatchkey)],
    async newCode(verifier) {
      const visitor = visitors[count++ % visitors.length];
      const answer = await visitor?.authorize(verifier);
      return answer?.searchParams.get('code') ?? '';
    },
    async stop() {
      await stopProcess(child);
      await latchkey.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startBare(): Promise<Measured> {
  const server = await startOidcProvider('memory', 'RS256');
  const { ports, paths, client } = await server.target();
  const [port = 0] = ports;
  const newCode = await newCodeOfOidcProvider(port, client);
  return {
    name: server.name,
    url: `http://localhost:${port}`,
    paths,
    client,
    processes: server.processes,
    newCode,
    stop: () => server.stop(),
  };
}
