// Requests that the service sends for others: to identity providers and webhook endpoints. None gets to the machine's own
// network, and no answer does any harm.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { readDescription } from '../../src/cli/apply/file.ts';
import { removeApp } from '../../src/operations/account/your-apps.ts';
import { planSection } from '../../src/operations/apply/plan-section.ts';
import { currentSession } from '../../src/operations/sessions/sessions.ts';
import { createUpstream, deleteUpstream } from '../../src/operations/upstreams/upstreams.ts';
import { disableUser } from '../../src/operations/users/disable-user.ts';
import { resendDelivery, sendTestMessage } from '../../src/operations/webhooks/deliveries.ts';
import { webhookSection } from '../../src/operations/webhooks/webhook-section.ts';
import { upstreamFetch } from '../../src/platform/upstreams/upstream-fetch.ts';
import { webhookSender } from '../../src/platform/webhooks/sender.ts';
import { signedIn } from '../harness/account.ts';
import { newKey } from '../harness/api.ts';
import { HostileUpstream } from '../harness/hostile-upstream.ts';
import { obtainTokens } from '../harness/relying-party.ts';
import { requester, startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { addUpstream, isSignedIn, signInWith } from '../harness/upstreams.ts';
import { allowLoopback, newWebhook, type Receiver, startReceiver } from '../harness/webhooks.ts';
import { attack } from './attack.ts';

let service: TestService;
let receiver: Receiver;

before(async () => {
  service = await startTestService(allowLoopback, { webhookDeadline: 1500 });
  receiver = await startReceiver();
});
after(async () => {
  await service?.stop();
  await receiver?.stop();
});

async function listening(server: Server): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** Hosts that lead inside, whatever they look like. */
const inside = (port: number) => [
  `127.0.0.1:${port}`,
  `127.1:${port}`,
  `2130706433:${port}`,
  `0x7f.1:${port}`,
  `0177.0.0.1:${port}`,
  `0.0.0.0:${port}`,
  `[::1]:${port}`,
  `[::]:${port}`,
  `[::ffff:127.0.0.1]:${port}`,
  `[::ffff:169.254.169.254]`,
  '[64:ff9b::a9fe:a9fe]',
  '[2002:a9fe:a9fe::]',
  '169.254.169.254',
  '[fe80::1]',
  `localhost.:${port}`,
  `localhost:${port}`,
  `user:secret@127.0.0.1:${port}`,
  `example.com@127.0.0.1:${port}`,
  `[fe80::1%25eth0]:${port}`,
];

attack(
  27,
  "an identity provider's URLs lead to no internal address, however they are written, moved or redirected",
  async () => {
    const server = createServer((_, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    );
    const { port, connections } = await listening(server);
    const proxies = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const saved = proxies.map((name) => process.env[name]);
    for (const name of proxies) process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${port}`;
    try {
      // This service allows webhooks to loopback, and no identity provider.
      for (const host of inside(port)) {
        for (const scheme of ['https', 'http']) {
          const input = {
            name: 'inside',
            label: 'Inside',
            issuer: `${scheme}://${host}`,
            clientId: 'x',
            secret: 'secret',
          };
          const outcome = await createUpstream(service.running.services, input, requester);
          assert.equal(outcome.kind, 'refused', input.issuer);
        }
      }
      const fetching = async (url: string, answers: string[][], networks: string[] = []) => {
        let asked = 0;
        const resolve = async () => answers[asked++] ?? [];
        const outcome = await upstreamFetch({ networks, resolve, deadline: 300 })
          .send(url, { method: 'GET', headers: {} })
          .catch((error: Error) => error.message);
        return { outcome, asked };
      };
      // A name that leads outside when it is checked and inside when it is used: it is looked up once.
      const rebound = await fetching(`https://rebinding.test:${port}/`, [['192.0.2.1', '1.1.1.1'], ['127.0.0.1']]);
      assert.equal(rebound.asked, 1);
      assert.equal(typeof rebound.outcome, 'string');
      assert.match(String((await fetching(`https://inside.test:${port}/`, [['127.0.0.1']])).outcome), /isn't a public/);
      assert.equal(connections(), 0, 'nothing was sent, not to the proxy of the environment either');
      // What an identity provider announces: its host may be allowed, and those of its endpoints are not.
      const allowed = await startTestService({ LATCHKEY_UPSTREAM_NETWORKS: '127.0.0.1' });
      const provider = await HostileUpstream.start(() => allowed.clock.now());
      try {
        await addUpstream(allowed, provider, { createsAccounts: true });
        const signIn = async (sub: string) => {
          provider.person = { sub };
          provider.twists = {
            ...provider.twists,
            userinfo: (all) => ({ ...all, email: `${sub}@people.example`, email_verified: true }),
          };
          return isSignedIn((await signInWith(allowed, provider)).person);
        };
        assert.ok(await signIn('announced'), 'from where it is');
        for (const endpoint of ['token_endpoint', 'userinfo_endpoint', 'jwks_uri']) {
          await deleteUpstream(allowed.running.services, 'company', requester);
          provider.twists = { discovery: (all) => ({ ...all, [endpoint]: `http://127.0.0.2:${port}/` }) };
          // Refused when it is added, or when it would be used.
          const added = await addUpstream(allowed, provider, { createsAccounts: true }).catch(() => undefined);
          if (added !== undefined) assert.equal(await signIn(endpoint), false, endpoint);
        }
        assert.equal(connections(), 0, 'no endpoint was asked');
      } finally {
        await allowed.stop();
        await provider.stop();
      }
      // A redirect isn't followed: it is the response.
      const { outcome } = await fetching(`http://127.0.0.1:${port}/`, [], ['127.0.0.1']);
      assert.equal(outcome instanceof Response && outcome.status, 302);
    } finally {
      for (const [index, name] of proxies.entries()) {
        if (saved[index] === undefined) delete process.env[name];
        else process.env[name] = saved[index];
      }
      server.closeAllConnections();
      server.close();
    }
  },
);

attack(28, 'a webhook leads to no internal address, and no response of an endpoint does any harm', async () => {
  const { headers } = await newKey(service);
  const call = (method: string, path: string, body: object) =>
    fetch(`${service.url}/api/webhooks${path}`, {
      method,
      headers: { ...headers(method), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const strict = await startTestService();
  const other = createServer((_, response) => response.end());
  const { port, connections } = await listening(other);
  try {
    const { webhook } = await newWebhook(strict, { url: 'https://hooks.example.com/' });
    const key = await newKey(strict);
    const json = { 'Content-Type': 'application/json' };
    const file = join(strict.dataDir, 'apply.json');
    const planned = async () => {
      const described = await readDescription(file, {}).catch(() => undefined);
      if (described === undefined) return 'refused';
      const { services } = strict.running;
      const context = { services, file: described, prune: false, problems: new Set<string>() };
      return (await planSection(webhookSection, context, described.get('webhooks') ?? [])).kind;
    };
    for (const host of inside(port).filter((each) => !each.startsWith('localhost'))) {
      const url = `https://${host}/`;
      const body = JSON.stringify({ url });
      const created = await fetch(`${strict.url}/api/webhooks`, {
        method: 'POST',
        headers: { ...key.headers('POST'), ...json },
        body,
      });
      assert.equal(created.status, 400, url);
      const changed = await fetch(`${strict.url}/api/webhooks/${webhook.id}`, {
        method: 'PATCH',
        headers: { ...key.headers('PATCH'), ...json },
        body,
      });
      assert.equal(changed.status, 400, url);
      writeFileSync(file, JSON.stringify({ webhooks: [{ id: 'applied', url, types: null }] }));
      assert.equal(await planned(), 'refused', url);
    }
    writeFileSync(
      file,
      JSON.stringify({ webhooks: [{ id: 'applied', url: 'https://hooks.example.com/', types: null }] }),
    );
    assert.equal(await planned(), 'done');
    // A name is looked at when a message is sent.
    const named = await newWebhook(strict, { url: `https://localhost:${port}/`, types: ['user.created'] });
    await sendTestMessage(strict.running.services, named.webhook.id, requester);
    const { storage, webhooks } = strict.running.services;
    const deliveries = () => storage.pageDeliveries(named.webhook.id, undefined, { after: undefined, limit: 5 });
    await until(async () => {
      await webhooks.sendDue();
      return (await deliveries()).items.some(({ attempts }) => attempts > 0);
    }, 'the message to localhost is tried');
    const [tried = assert.fail()] = (await deliveries()).items;
    assert.match(tried.lastAttempt?.error ?? '', /isn't a public IP address/);
    // Sent again, it is looked at again.
    strict.clock.advance(24 * 60 * 60);
    await resendDelivery(strict.running.services, named.webhook.id, tried.id, requester);
    await until(async () => {
      await webhooks.sendDue();
      return (
        ((await storage.findDelivery(named.webhook.id, tried.id))?.lastAttempt?.at ?? 0) > (tried.lastAttempt?.at ?? 0)
      );
    }, 'the message is tried again');
    let asked = 0;
    const answers = [['1.1.1.1'], ['127.0.0.1']];
    const resolve = async () => answers[asked++] ?? [];
    await webhookSender({ networks: [], resolve, deadline: 200 }).send(`https://moved.test:${port}/`, {}, '{}');
    assert.equal(asked, 1);
    assert.equal(connections(), 0);
  } finally {
    await strict.stop();
    other.close();
  }

  // What an endpoint can answer.
  const forever = (response: Parameters<RequestListener>[1]) => {
    const more = () => response.write('x'.repeat(65_536), (error) => error || setImmediate(more));
    more();
  };
  let followed = 0;
  const answersOf: Record<string, RequestListener> = {
    '/redirect': (_, response) => response.writeHead(307, { location: '/followed' }).end(),
    '/followed': (_, response) => {
      followed += 1;
      response.end();
    },
    '/endless': (_, response) => {
      response.writeHead(200);
      forever(response);
    },
    '/drip': (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 100);
      response.on('close', () => clearInterval(timer));
    },
    '/header': (_, response) => {
      response.writeHead(200, { 'X-Large': 'x'.repeat(1_000_000) }).end();
    },
    '/later': (_, response) => response.writeHead(503, { 'Retry-After': '999999999' }).end(),
    '/script': (_, response) => response.writeHead(500).end('<script>alert(1)</script>\u001b[2J'),
  };
  const server = createServer((request, response) => {
    request.resume();
    answersOf[request.url ?? '']?.(request, response);
  });
  const { port: at } = await listening(server);
  const sender = webhookSender({ networks: ['127.0.0.1'], deadline: 800 });
  try {
    for (const path of ['/redirect', '/endless', '/drip', '/header']) {
      const started = performance.now();
      await sender.send(`http://127.0.0.1:${at}${path}`, {}, '{}');
      assert.ok(performance.now() - started < 60_000, path);
    }
    assert.equal(followed, 0);
    const admin = await signedIn(service, await service.newUser({ admin: true }));
    const made = await call('POST', '', { url: `http://127.0.0.1:${at}/script`, types: ['user.created'] });
    const { data } = (await made.json()) as { data: { id: string } };
    const later = await newWebhook(service, { url: `http://127.0.0.1:${at}/later`, types: ['user.created'] });
    const { storage, webhooks, clock } = service.running.services;
    const attempted = async (id: string) => {
      await sendTestMessage(service.running.services, id, requester);
      const read = async () => (await storage.pageDeliveries(id, undefined, { after: undefined, limit: 1 })).items[0];
      await until(async () => {
        await webhooks.sendDue();
        return ((await read())?.attempts ?? 0) > 0;
      }, 'it is tried');
      return (await read()) ?? assert.fail();
    };
    const delivery = await attempted(data.id);
    for (const path of [`/admin/webhooks/${data.id}`, `/admin/webhooks/${data.id}/deliveries/${delivery.id}`]) {
      const page = await (await admin.visit(path)).text();
      assert.doesNotMatch(page, /<script>alert|\u001b/, path);
    }
    const next = (await attempted(later.webhook.id)).nextAttemptAt ?? 0;
    assert.ok(next - clock.now() < 24 * 60 * 60 * 1000, 'it is tried again when we think fit');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

attack(29, "an application's endpoint is told about its own grants only, and about nobody who has left", async () => {
  const { services } = service.running;
  const [mine, other] = [await service.newClient(), await service.newClient()];
  await newWebhook(service, { url: receiver.url, clientId: mine.id });
  const [approved, never, left] = [await service.newUser(), await service.newUser(), await service.newUser()];
  await obtainTokens(service, mine, approved);
  await obtainTokens(service, other, never);
  const { person } = await obtainTokens(service, mine, left);
  const session = await currentSession(services, person.cookies.get('latchkey_session'));
  assert.ok(session);
  await removeApp(services, session, mine.id, requester);
  const received = async () => {
    await services.journal.flush();
    await services.webhooks.sendDue();
    return receiver.received.map(({ body }) => body);
  };
  await until(async () => (await received()).length === 1, 'the end of the grant arrives');
  // From now on they aren't its business.
  for (const user of [left, never]) await disableUser(services, { id: user.id }, requester);
  await disableUser(services, { id: approved.id }, requester);
  await until(async () => (await received()).some((body) => body.includes(approved.id)), 'this one is');
  const bodies = await received();
  for (const body of bodies) {
    assert.ok(!body.includes(never.id) && !body.includes(other.id) && !body.includes('@example.test'), body);
    assert.match(body, /"type":"grant\.ended"/);
  }
  assert.equal(bodies.filter((body) => body.includes(left.id)).length, 1);
});
