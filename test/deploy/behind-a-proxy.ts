// What must hold behind any proxy. Runs with each proxy that deploy/ has a configuration for.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setDefaultCACertificates } from 'node:tls';
import { launchBrowser } from '../harness/browser.ts';
import { cleanEnvironment } from '../harness/command.ts';
import { releaseTest } from '../harness/lane.ts';
import { formIn, Person } from '../harness/person.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  obtainTokens,
  postForm,
  userinfo,
} from '../harness/relying-party.ts';
import { freePort, startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';

export interface Place {
  /** A folder for the proxy, which writes its logs to `logs` in it. */
  readonly folder: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  /** The port of the service, on 127.0.0.1. */
  readonly servicePort: number;
}

export interface ProxyProgram {
  readonly name: string;
  /** Why it can't be started here. */
  readonly skip: string | false;
  /** Writes the files that the program needs, and returns its command. */
  prepare(place: Place): { command: string; args: string[]; environment?: Record<string, string> };
  /** The certificate to trust, once the proxy runs. */
  authority(place: Place): string;
  /** What it answers when the service is away; 502 for most. */
  readonly statusWhenAway?: number;
}

export class RunningProxy {
  readonly place: Place;
  readonly #child: ChildProcess;
  #output = '';

  private constructor(place: Place, child: ChildProcess) {
    this.place = place;
    this.#child = child;
    const take = (chunk: unknown) => {
      this.#output += chunk;
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('error', take);
  }

  static async start(program: ProxyProgram, servicePort: number, httpsPort: number): Promise<RunningProxy> {
    const folder = mkdtempSync(join(tmpdir(), `latchkey-${program.name}-`));
    const place = { folder, httpPort: await freePort(), httpsPort, servicePort };
    const { command, args, environment = {} } = program.prepare(place);
    const child = spawn(command, args, { cwd: folder, env: cleanEnvironment(environment), stdio: 'pipe' });
    const proxy = new RunningProxy(place, child);
    const answers = async () => {
      if (child.exitCode !== null) throw new Error(`it has ended with ${child.exitCode}`);
      const asked = ask(`https://localhost:${httpsPort}/healthz`, { rejectUnauthorized: false });
      return asked.then(
        () => true,
        () => false,
      );
    };
    try {
      await until(answers, 'it answers');
      return proxy;
    } catch (error) {
      await proxy.stop();
      throw new Error(`${program.name} does not start: ${proxy.#output}`, { cause: error });
    }
  }

  /** The logs so far, and what the program has printed. */
  logs(): string {
    const folder = join(this.place.folder, 'logs');
    const files = readdirSync(folder).map((name) => join(folder, name));
    const texts = files.flatMap((file) => (statSync(file).isFile() ? readFileSync(file, 'utf8') : []));
    return [this.#output, ...texts].join('');
  }

  async logsMatching(pattern: RegExp): Promise<string> {
    await until(
      () => pattern.test(this.logs()),
      () => `${pattern} in ${this.logs()}`,
    );
    return this.logs();
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = new Promise((resolve) => this.#child.once('exit', resolve));
      this.#child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.place.folder, { recursive: true, force: true });
  }
}

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** A request over https with options that fetch lacks, such as the local address. */
export function ask(url: string, options: RequestOptions = {}, body = ''): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    outgoing.on('error', reject).end(body);
  });
}

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

export function behindAProxy(program: ProxyProgram): void {
  describe(`behind ${program.name}`, { skip: program.skip }, () => {
    let service: TestService;
    /** The same service, through the proxy. */
    let outside: TestService;
    let proxy: RunningProxy;
    let user: TestUser;

    before(async () => {
      const httpsPort = await freePort();
      const baseUrl = `https://localhost:${httpsPort}`;
      service = await startTestService({ LATCHKEY_BASE_URL: baseUrl, LATCHKEY_TRUST_PROXY: '127.0.0.1' });
      outside = { ...service, url: baseUrl };
      proxy = await RunningProxy.start(program, Number(new URL(service.url).port), httpsPort);
      setDefaultCACertificates([program.authority(proxy.place)]);
      user = await service.newUser();
    });
    after(async () => {
      await proxy?.stop();
      await service?.stop();
    });

    test('pages are for https only, and so are cookies', async () => {
      const { headers } = await fetch(`${outside.url}/sign-in`);
      assert.match(headers.get('strict-transport-security') ?? '', /^max-age=\d{8}/);
      const person = new Person(outside);
      await person.signIn(user);
      assert.ok(person.cookies.size >= 2);
      for (const name of person.cookies.keys()) assert.match(name, /^__Host-/);
      for (const cookie of headers.getSetCookie()) assert.match(cookie, /^__Host-.*; Secure/);
    });

    releaseTest('a person signs in and approves in a browser, with cookies that only https can set', async () => {
      const application = createServer((_request, response) => response.end('The application'));
      await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
      const { port } = application.address() as { port: number };
      const browser = await launchBrowser();
      try {
        const redirectUri = `http://127.0.0.1:${port}/callback`;
        const client = await service.newClient({ redirectUris: [redirectUri] });
        const context = await browser.newContext({ ignoreHTTPSErrors: true });
        const page = await context.newPage();
        const verifier = newVerifier();
        // Near the limit, because the browser repeats it in the Referer header.
        const state = 's'.repeat(7500);
        const path = authorizePath(client, verifier, { state }).replace('/oauth-authorize', '/oauth-authorize.php');
        const first = await page.goto(outside.url + path);
        assert.match((await first?.headerValue('strict-transport-security')) ?? '', /^max-age=\d{8}/);
        await page.fill('input[name=email]', user.email);
        await page.fill('input[name=password]', user.password);
        await page.click('button[type=submit]');
        await page.click('button[name=decision][value=approve]');
        await page.waitForURL(`${redirectUri}?**`);
        const answer = new URL(page.url()).searchParams;
        assert.equal(answer.get('state'), state);
        assert.equal(answer.get('iss'), outside.url);

        const cookies = await context.cookies(outside.url);
        assert.ok(cookies.length >= 2);
        for (const { name, secure, httpOnly } of cookies) {
          assert.ok(name.startsWith('__Host-') && secure && httpOnly, name);
        }
        const exchange = exchangeParameters(client, answer.get('code') ?? '', verifier);
        const { status, body } = await postForm(outside, '/oauth/token', exchange);
        assert.equal(status, 200);
        assert.equal((await userinfo(outside, body.access_token)).body.sub, user.id);
      } finally {
        await browser.close();
        application.close();
      }
    });

    test('http redirects to https', async () => {
      const path = '/account/apps?a=b';
      const location = await new Promise<string>((resolve, reject) => {
        get({ host: 'localhost', port: proxy.place.httpPort, path }, (response) => {
          response.resume();
          resolve(response.headers.location ?? '');
        }).on('error', reject);
      });
      // Not every proxy passes on the port of the test.
      assert.equal(location.replace(/:\d+/, ''), `https://localhost${path}`);
    });

    const claims = { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9', 'X-Real-IP': '203.0.113.9' };
    for (const [name, localAddress, headers] of [
      ['the address of the client and not of the proxy', '127.0.0.2', {}],
      ['no address that a client claims', '127.0.0.2', claims],
      ["no address that a client on the proxy's own machine claims", '127.0.0.1', claims],
    ] as const) {
      test(`events show ${name}`, async () => {
        const since = (await service.events()).length;
        const from = { localAddress, method: 'POST', headers: { ...form, ...headers } };
        const grant = 'grant_type=refresh_token&refresh_token=none&client_id=nobody&client_secret=none';
        assert.equal((await ask(`${outside.url}/oauth/token`, from, grant)).status, 401);
        const person = new Person(outside);
        const { action, fields } = await formIn(await person.visit('/sign-in'));
        const cookie = [...person.cookies].map((pair) => pair.join('=')).join('; ');
        const attempt = { ...from, headers: { ...from.headers, Cookie: cookie, Origin: outside.url } };
        const answers = new URLSearchParams({ ...fields, email: user.email, password: 'wrong' }).toString();
        await ask(outside.url + action, attempt, answers);
        const events = (await service.events()).slice(since).filter((event) => event.kind.endsWith('_failed'));
        assert.deepEqual(
          events.map(({ kind, address }) => [kind, address]),
          [
            ['client_authentication_failed', localAddress],
            ['sign_in_failed', localAddress],
          ],
        );
      });
    }

    test('a URL just below 8 KB survives sign-in and consent; one above is refused by the service', async () => {
      const client = await service.newClient();
      const bare = `${authorizePath(client, newVerifier(), { state: undefined })}&state=`;
      const path = bare + 's'.repeat(8192 - bare.length);
      const answer = await new Person(outside).authorize(path, user);
      assert.ok(answer.searchParams.get('code'));
      // Over HTTP/1.1, because HTTP/2 compresses headers.
      const plain = await ask(outside.url + path, { headers: { Referer: outside.url + path } });
      assert.equal(plain.status, 200);
      const long = await new Person(outside).request(`${path}s`);
      assert.deepEqual([long.status, long.headers.has('x-request-id')], [414, true]);
    });

    test("a large file reaches the service, and one that's too large is refused by the service itself", async () => {
      const person = new Person(outside);
      await person.signIn(user);
      const { fields } = await formIn(await person.visit('/account/profile'), '/account/picture');
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      body.set('picture', new Blob(['x'.repeat(500 * 1024)]));
      const headers = { Origin: outside.url };
      const picture = await person.request('/account/picture', { method: 'POST', body, headers });
      assert.deepEqual([picture.status, picture.headers.has('x-request-id')], [400, true]);
      const answer = await fetch(`${outside.url}/oauth/token`, { method: 'POST', body: 'x'.repeat(17 * 1024) });
      assert.deepEqual([answer.status, answer.headers.has('x-request-id')], [413, true]);
    });

    test('connections to the service are reused', async () => {
      let connections = 0;
      const count = () => connections++;
      service.running.app.server.on('connection', count);
      for (let requests = 0; requests < 20; requests++) {
        assert.equal((await fetch(`${outside.url}/healthz`)).status, 200);
      }
      service.running.app.server.off('connection', count);
      // On a busy machine, the proxy may open one while another is about to be free.
      assert.ok(connections < 10, `${connections} connections`);
    });

    test('logs contain paths but no state, code, token, cookie or secret', async () => {
      const client = await service.newClient();
      const state = 'a-state-of-its-own';
      const { code, tokens, person } = await obtainTokens(outside, client, user, { state });
      const headers = { Referer: `${outside.url}${authorizePath(client, newVerifier(), { state })}` };
      await person.request('/account/apps?link=lkl_a-link-from-a-mail', { headers });
      await userinfo(outside, tokens.access_token);
      const logs = await proxy.logsMatching(/\/oauth\/userinfo/);
      for (const path of ['/oauth-authorize', '/oauth/token', '/account/apps']) assert.ok(logs.includes(path), path);
      const cookies = [...person.cookies.values()];
      const { access_token, refresh_token, id_token } = tokens;
      const secrets = [state, 'lkl_', code, access_token, refresh_token, id_token, client.secret, ...cookies];
      for (const secret of secrets) assert.equal(logs.includes(secret), false, secret);
    });

    test('if the service is down, the proxy returns 5xx and logs no state', async () => {
      const alone = await RunningProxy.start(program, await freePort(), await freePort());
      try {
        const url = `https://localhost:${alone.place.httpsPort}`;
        const options = {
          rejectUnauthorized: false,
          agent: new Agent(),
          headers: { Referer: `${url}/?a-state-of-its-own` },
        };
        const answer = await ask(`${url}/oauth-authorize?state=a-state-of-its-own`, options);
        assert.equal(answer.status, program.statusWhenAway ?? 502);
        const logs = await alone.logsMatching(/\/oauth-authorize/);
        assert.match(logs, new RegExp(`${answer.status}`));
        assert.doesNotMatch(logs, /a-state-of-its-own/);
      } finally {
        await alone.stop();
      }
    });
  });
}
