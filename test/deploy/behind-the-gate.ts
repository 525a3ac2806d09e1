// What must hold behind the gate with any proxy that docs/gate.md has a tested configuration for.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { changeMembers, createGroup } from '../../src/operations/groups/groups.ts';
import { disableUser, endSessions } from '../../src/operations/users/disable-user.ts';
import type { Arrived } from '../harness/guarded-application.ts';
import { releaseTest } from '../harness/lane.ts';
import { requester, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import type { Reply } from './behind-a-proxy.ts';
import { forged, identityIn } from './forged-identity.ts';
import { type Gated, type GatedProxy, startGated } from './gated-place.ts';
import { connect, type Tunnel } from './gated-tunnel.ts';

/** What a browser sends when somebody follows a link. */
const navigation = { Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate' };

const arrivedIn = (reply: Reply) => JSON.parse(reply.body) as Arrived;

export function behindTheGate(program: GatedProxy, more: (gated: () => Gated) => void = () => {}): void {
  describe(`the gate behind ${program.name}`, { skip: program.skip }, () => {
    let gated: Gated;
    let user: TestUser;
    let cookie = '';
    let page: Page;
    before(async () => {
      gated = await startGated(program);
      user = await gated.service.newUser({ name: 'Zoë Ångström' });
    });
    after(() => gated?.stop());

    const signedIn = (headers: Record<string, string> = {}) => ({ headers: { Cookie: cookie, ...headers } });
    const own = () => ({ 'remote-user': user.id, 'remote-email': user.email, 'remote-name': 'Zoë Ångström' });
    const last = () => gated.application.arrived.at(-1);

    test('a person signs in, the application knows who it is, and they sign out', async () => {
      const visitor = await gated.newPage();
      const url = `${gated.origin}/notes?page=2`;
      await gated.signIn(visitor, user, url);
      const text = await visitor.innerText('pre');
      for (const line of [`Remote-User: ${user.id}`, `Remote-Email: ${user.email}`, 'Remote-Name: Zoë Ångström']) {
        assert.ok(text.includes(line), text);
      }
      await visitor.goto(`${gated.origin}/gate/sign-out`);
      await visitor.getByRole('button', { name: 'Sign out' }).click();
      await visitor.waitForURL(`${gated.service.url}/**`);
      await visitor.goto(url);
      await visitor.waitForURL(`${gated.service.url}/**`);
      assert.equal((await gated.service.events('token_revoked')).length, 1);
    });

    releaseTest('without a session, browsers are sent to sign in, and programs get 401', async () => {
      ({ page, cookie } = await gated.signedIn(user));
      const before = gated.application.arrived.length;
      const answer = await gated.ask('/a%20b?c=d&e', { headers: navigation });
      const to = `${gated.origin}/gate/sign-in?to=${encodeURIComponent('/a%20b?c=d&e')}`;
      assert.deepEqual([answer.status, answer.headers.location], [302, to]);
      assert.equal((await gated.ask('/', { headers: { ...navigation, Accept: '*/*' } })).status, 302);
      for (const [path, options] of [
        ['/', {}],
        ['/', { headers: { ...navigation, 'Sec-Fetch-Mode': 'cors' } }],
        ['/api/pages', { headers: navigation }],
        ['/', { method: 'POST', headers: navigation }],
        ['/', { method: 'OPTIONS' }],
        ['/', { headers: { Cookie: '__Host-latchkey_gate=malformed' } }],
        ['/', { headers: { Cookie: `__Host-latchkey_gate=${'A'.repeat(43)}` } }],
      ] as const) {
        const { status, headers } = await gated.ask(path, options);
        assert.deepEqual([status, headers.location], [401, undefined], JSON.stringify([path, options]));
      }
      assert.equal(gated.application.arrived.length, before);
    });

    releaseTest('open paths are for everyone, and know who is signed in', async () => {
      for (const path of ['/healthz', '/assets/site.css?v=1']) {
        const stranger = await gated.ask(path);
        assert.deepEqual([stranger.status, identityIn(arrivedIn(stranger))], [200, {}]);
        assert.deepEqual(identityIn(arrivedIn(await gated.ask(path, signedIn()))), own());
      }
      assert.equal((await gated.ask('/healthz', { method: 'POST' }, 'body')).status, 200);
    });

    for (const [what, headers] of forged) {
      releaseTest(`identity headers of the client never arrive: ${what}`, async () => {
        const given = [...headers];
        const reply = await gated.ask('/', { headers: ['Cookie', cookie, ...given] as never });
        assert.equal(reply.status, 200);
        assert.deepEqual(identityIn(arrivedIn(reply)), own());
        const open = await gated.ask('/healthz', { headers: given as never });
        assert.deepEqual([open.status, identityIn(arrivedIn(open))], [200, {}]);
        const admin = await gated.ask('/admin/', { headers: ['Cookie', cookie, ...given] as never });
        assert.equal(admin.status, 403);
      });
    }

    releaseTest('identity headers in trailers stay apart from headers', async () => {
      const headers = ['Cookie', cookie, 'Transfer-Encoding', 'chunked', 'Trailer', 'Remote-User'];
      const body = '5\r\nhello\r\n0\r\nRemote-User: evil\r\n\r\n';
      const tunnel = await connect(gated, ['POST / HTTP/1.1', ...pairs(headers), 'Connection: close'], body);
      await until(
        () => tunnel.received().includes('"bodySize":5'),
        () => tunnel.received(),
      );
      assert.deepEqual(identityIn(last() as Arrived), own());
    });

    releaseTest('what clients say about the request never reaches the gate', async () => {
      for (const [path, headers] of [
        ['/', { 'X-Forwarded-Uri': '/healthz' }],
        ['/', { 'x-forwarded-uri': '/assets/x', 'X-Original-URI': '/healthz', 'X-Original-URL': '/healthz' }],
        ['/', { X_Forwarded_Uri: '/healthz', 'X-Rewrite-Url': '/healthz' }],
        ['/', { 'X-Forwarded-Method': 'OPTIONS', 'X-HTTP-Method-Override': 'HEAD' }],
        ['/?redirect=no', { 'X-Forwarded-Host': new URL(gated.handbook).host, 'X-Forwarded-Proto': 'http' }],
        ['/', { Connection: 'close, X-Forwarded-Uri, X-Forwarded-Host, X-Forwarded-Method, X-Forwarded-Proto' }],
        ['/', { Forwarded: 'host=evil.example;proto=http', 'X-Forwarded-For': '203.0.113.9' }],
      ] as const) {
        const given = { ...navigation, ...headers };
        const to = `${gated.origin}/gate/sign-in?to=${encodeURIComponent(path)}`;
        const { status, headers: answered } = await gated.ask(path, { headers: given });
        assert.deepEqual([status, answered.location], [302, to], JSON.stringify(headers));
        const admin = await gated.ask('/admin/', signedIn(headers as Record<string, string>));
        assert.equal(admin.status, 403, JSON.stringify(headers));
        const known = await gated.ask(path, signedIn(headers as Record<string, string>));
        assert.equal(known.status, 200, JSON.stringify(headers));
      }
    });

    releaseTest('a path that could mean another one is neither open nor free of its requirement', async () => {
      const before = gated.application.arrived.length;
      for (const path of [
        '/admin',
        '/admin/',
        '/admin/x',
        '/%61dmin/x',
        '//admin/x',
        '/Admin/x',
        '/ADMIN',
        '/admin/..;/x',
        '/./admin/x',
        '/x/../admin/',
        '/x/%2e%2e/admin/',
        '/x/..%2fadmin/',
        '/admin%2fx',
        '/admin;x=y/',
        '/admin%5cx',
        '/%2561dmin/',
        '/healthz/../admin/',
        '/assets/../admin/',
        '/assets/..%2f..%2fadmin/',
        '/admin%00',
        '/gate/../admin/x',
      ]) {
        const { status } = await gated.ask(path, signedIn(navigation));
        assert.ok([403, 400, 404].includes(status), `${path}: ${status}`);
      }
      for (const path of [
        '/HEALTHZ',
        '/healthz/',
        '/healthz%2f',
        '//healthz',
        '/healthz;x',
        '/assets',
        '/Assets/x',
        '/assets//x',
        '/assets/../x',
        '/assets/%2e%2e/x',
        '/assets/.env',
        '/assets/%2fx',
        '/x/../healthz',
        '/assets/x%00',
        '/%2e/healthz',
      ]) {
        const { status } = await gated.ask(path);
        assert.ok([401, 400, 404].includes(status), `${path}: ${status}`);
      }
      assert.equal(gated.application.arrived.length, before);
    });

    releaseTest("outside, only the browser's own paths of the gate can be reached", async () => {
      const before = gated.application.arrived.length;
      const inside = ['/gate/check', '/gate/check?redirect=no', '/gate/healthz', '/gate/', '/gate/x', '/gate/sign-in/'];
      const confusing = ['/gate/%63heck', '//gate/check', '/gate//check', '/x/../gate/check', '/gate/sign-in/../check'];
      for (const path of [...inside, ...confusing]) {
        assert.equal((await gated.ask(path, signedIn())).status, 404, path);
      }
      // The gate itself takes no other spelling for one of its paths.
      for (const path of [
        '/x/../gate/sign-in',
        '//gate/sign-in',
        '/gate/sign-%69n',
        '/GATE/sign-in',
        '/gate/sign-in;x',
      ]) {
        const { status, headers } = await gated.ask(path, { headers: navigation });
        assert.ok(status === 404 || (status === 302 && headers.location?.includes('?to=')), `${path}: ${status}`);
      }
      assert.equal((await gated.ask('/gate/sign-in?to=/x', { headers: navigation })).status, 303);
      assert.equal((await gated.ask('/gate/sign-out')).status, 200);
      assert.equal((await gated.ask('/gate/callback')).status, 400);
      assert.equal((await gated.ask('/gate/backchannel-logout', { method: 'POST' }, 'logout_token=x')).status, 400);
      assert.equal(gated.application.arrived.length, before);
    });

    releaseTest('a host is only itself', async () => {
      const { host, port } = new URL(gated.origin);
      const before = gated.application.arrived.length;
      const handbook = new URL(gated.handbook).host;
      for (const other of ['evil.example', `evil.example:${port}`, handbook, `x.${host}`]) {
        const { status, body } = await gated.ask('/', signedIn({ Host: other }));
        // Caddy answers for hosts that it has no site for with nothing.
        assert.ok(status !== 200 || body === '', `${other}: ${status}`);
      }
      assert.equal(gated.application.arrived.length, before);
      // nginx ignores the dot at the end, and asks about the host without it.
      const dotted = await gated.ask('/', signedIn({ Host: `localhost.:${port}` }));
      if (dotted.body !== '') assert.deepEqual(identityIn(arrivedIn(dotted)), own());
      const loud = { ...signedIn().headers, Host: `LOCALHOST:${port}` };
      assert.deepEqual(identityIn(arrivedIn(await gated.ask('/', { headers: loud }))), own());
      const absolute = await gated.ask(`https://evil.example/healthz`, { headers: navigation });
      assert.ok(absolute.status !== 200 || absolute.body === '', `${absolute.status}`);
    });

    releaseTest('who may not open a path is told so, and can use another account', async () => {
      const admin = await gated.newAdmin();
      const answered = await page.goto(`${gated.origin}/admin/users?sort=name`);
      assert.equal(answered?.status(), 403);
      const shown = await page.innerText('main');
      assert.ok(shown.includes("This account can't open this page") && shown.includes(user.email), shown);
      assert.equal((await gated.ask('/admin/', { ...signedIn(), method: 'POST' }, 'a=b')).status, 403);
      await page.getByRole('link', { name: 'Use another account' }).click();
      await page.waitForURL(`${gated.service.url}/**`);
      await page.getByRole('button', { name: 'Use another account' }).click();
      await page.fill('input[name=email]', admin.email);
      await page.fill('input[name=password]', admin.password);
      await page.click('button[type=submit]');
      await page.click('button[value=approve]');
      await page.waitForURL(`${gated.origin}/admin/users?sort=name`);
      assert.equal(identityIn(last() as Arrived)['remote-groups'], 'Admins');
      ({ page, cookie } = await gated.signedIn(user));
    });

    releaseTest('a folder with files is behind the gate as well', async () => {
      const visitor = await gated.newPage();
      await gated.signIn(visitor, user, `${gated.handbook}/`);
      assert.equal(await visitor.innerText('h1'), 'The handbook');
      const file = await visitor.goto(`${gated.handbook}/chapter.txt`);
      assert.equal(await file?.text(), 'Chapter one.');
      const { host } = new URL(gated.handbook);
      // There's no index in it, and a listing isn't for anyone.
      assert.ok([403, 404].includes((await visitor.goto(`${gated.handbook}/empty/`))?.status() ?? 0));
      for (const path of ['/', '/index.html', '/chapter.txt', '/assets/../chapter.txt', '/none', '/empty/page.php']) {
        const stranger = { headers: { Host: host, Cookie: cookie }, servername: 'handbook.localhost' };
        assert.equal((await gated.ask(path, stranger)).status, 401, path);
      }
    });

    releaseTest('FastCGI programs get the identity headers of the gate, and none of the client', async () => {
      const { cookie: theirs } = await gated.signedIn(user, `${gated.handbook}/`);
      const { host } = new URL(gated.handbook);
      for (const [what, headers] of forged) {
        const given = ['Host', host, 'Cookie', theirs, ...headers];
        const reply = await gated.ask('/empty/page.php', { headers: given as never, servername: 'handbook.localhost' });
        const parameters = Object.entries(JSON.parse(reply.body) as Record<string, string>);
        const identity = parameters.filter(
          ([name, value]) => /^HTTP_REMOTE.(USER|EMAIL|NAME|GROUPS)/.test(name) && value,
        );
        const { 'remote-user': id, 'remote-email': email, 'remote-name': name } = own();
        const expected = [
          ['HTTP_REMOTE_EMAIL', email],
          ['HTTP_REMOTE_NAME', name],
          ['HTTP_REMOTE_USER', id],
        ];
        assert.deepEqual(identity.sort(), expected, what);
      }
    });

    releaseTest('a WebSocket works for who is signed in, and is refused otherwise', async () => {
      const echoed = await page.evaluate(`new Promise((resolve, reject) => {
        const socket = new WebSocket('wss://' + location.host + '/live');
        socket.onopen = () => socket.send('Are you there?');
        socket.onmessage = ({ data }) => { resolve(data); socket.close(); };
        socket.onerror = () => reject(new Error('it failed'));
      })`);
      assert.equal(echoed, 'Are you there?');
      assert.deepEqual(identityIn(last() as Arrived), own());
      const before = gated.application.arrived.length;
      const refused = await openTunnel(gated, ['Cookie: __Host-latchkey_gate=none']);
      assert.match(refused.received(), /^HTTP\/1\.1 401 /);
      assert.equal(gated.application.arrived.length, before);
      const hop = await openTunnel(gated, [`Cookie: ${cookie}`, 'Connection: Remote-User', 'Remote-User: evil']);
      assert.match(hop.received(), /^HTTP\/1\.1 101 /);
      assert.deepEqual(identityIn(last() as Arrived), own());
      hop.close();
    });

    releaseTest('bodies reach the application whole, and the gate not at all', async () => {
      const body = 'x'.repeat(900_000);
      assert.equal(arrivedIn(await gated.ask('/upload', { ...signedIn(), method: 'PUT' }, body)).bodySize, 900_000);
      assert.equal((await gated.ask('/upload', { method: 'PUT' }, body)).status, 401);
    });

    releaseTest('long URLs and many groups get through', async () => {
      const long = `/search?q=${'%C3%A9'.repeat(1300)}`;
      assert.equal(arrivedIn(await gated.ask(long, signedIn())).url, long);
      const visitor = await gated.newPage();
      await visitor.goto(gated.origin + long);
      await visitor.waitForURL(`${gated.service.url}/**`);
      const { services } = gated.service.running;
      const names = Array.from({ length: 150 }, (_, number) => `${'Team of the long name, '.repeat(4)}${number}`);
      for (const name of names) {
        const made = await createGroup(services, { name }, requester);
        assert.ok(made.kind === 'done');
        await changeMembers(services, made.group.id, { add: [{ id: user.id }] }, requester);
      }
      await until(async () => {
        const { 'remote-groups': groups = '' } = identityIn(arrivedIn(await gated.ask('/', signedIn())));
        return groups.split(',').length === names.length && groups.length > 10_000;
      }, 'the groups arrive');
    });

    releaseTest('whoever signs out of Latchkey is out at once', async () => {
      await endSessions(gated.service.running.services, user, requester);
      const lastMessage = async () =>
        (await gated.service.running.services.storage.listLogouts(gated.wiki, 1))[0]?.state;
      await until(
        async () => (await lastMessage()) === 'delivered',
        () => gated.gateLog(),
      );
      assert.equal((await gated.ask('/', signedIn())).status, 401);
    });

    releaseTest('whoever loses access is out', async () => {
      const other = await gated.service.newUser();
      const { cookie: theirs } = await gated.signedIn(other, `${gated.handbook}/`);
      const asThem = {
        headers: { Host: new URL(gated.handbook).host, Cookie: theirs },
        servername: 'handbook.localhost',
      };
      assert.equal((await gated.ask('/', asThem)).status, 200);
      // This application has no back-channel logout.
      await disableUser(gated.service.running.services, other, requester);
      await until(async () => (await gated.ask('/', asThem)).status === 401, 'they are out');
    });

    more(() => gated);

    releaseTest('logs of the proxy have no code in them', () => {
      assert.doesNotMatch(gated.proxy.logs(), /[?&]code=/);
      assert.doesNotMatch(gated.gateLog(), /lkc_|code=|latchkey_gate/);
    });

    releaseTest('while Latchkey is down, people see a page; without the gate, nobody gets in', async () => {
      const { cookie: theirs } = await gated.signedIn(user);
      const headers = { Cookie: theirs };
      await gated.service.stop();
      assert.equal((await gated.ask('/', { headers })).status, 200);
      await until(async () => (await gated.ask('/', { headers })).status === 503, 'the grace is over');
      const shown = await gated.ask('/', { headers: { ...headers, ...navigation } });
      assert.deepEqual([shown.status, shown.headers['retry-after']], [503, '5']);
      assert.match(shown.body, /<title>Sign-in isn&#39;t available right now/);
      assert.equal((await gated.ask('/', { headers, method: 'POST' }, 'a=b')).status, 503);
      const before = gated.application.arrived.length;
      await gated.stopGate();
      for (const path of ['/', '/healthz', '/admin/']) {
        const { status } = await gated.ask(path, { headers: { ...headers, ...navigation } });
        assert.ok([502, 503].includes(status), `${path}: ${status}`);
      }
      assert.equal(gated.application.arrived.length, before);
    });
  });
}

function pairs(headers: readonly string[]): string[] {
  return headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []));
}

/** A WebSocket by hand, with headers that a browser wouldn't send. */
export async function openTunnel(gated: Gated, headers: readonly string[]): Promise<Tunnel> {
  const asked = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
  const tunnel = await connect(gated, ['GET /live HTTP/1.1', ...asked, 'Sec-WebSocket-Version: 13', ...headers]);
  await until(() => tunnel.received().includes('\r\n\r\n'), 'there is an answer');
  return tunnel;
}
