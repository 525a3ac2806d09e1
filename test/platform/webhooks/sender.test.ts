// Sending one webhook message: to an address that was checked, within a time, and without following anything.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { OutgoingOptions } from '../../../src/platform/webhooks/checked-host.ts';
import { webhookSender } from '../../../src/platform/webhooks/sender.ts';
import { cleanEnvironment, finished, root } from '../../harness/command.ts';
import { freePort } from '../../harness/service.ts';

const loopback = ['127.0.0.0/8'];

/** Runs with a server on this machine, and says how often somebody has connected to it. */
async function withServer(listener: RequestListener, run: (port: number, connections: () => number) => Promise<void>) {
  const server = createServer(listener);
  let connections = 0;
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await run((server.address() as AddressInfo).port, () => connections);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function send(url: string, options: Partial<OutgoingOptions> = {}) {
  return webhookSender({ networks: loopback, ...options }).send(url, { 'webhook-id': 'msg_1' }, '{"a":"ä"}');
}

const errorOf = (sent: Awaited<ReturnType<typeof send>>) => (sent.kind === 'failed' ? sent.error : `${sent.status}`);

test('a message arrives with its headers, and the response comes back', async () => {
  let got: unknown;
  const listener: RequestListener = async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('');
    const { method, url, headers } = request;
    got = { method, url, id: headers['webhook-id'], length: headers['content-length'], body };
    response.writeHead(202).end('thanks');
  };
  await withServer(listener, async (port) => {
    const sent = await send(`http://127.0.0.1:${port}/hooks?a=b`);
    assert.deepEqual({ ...sent, duration: 0 }, { kind: 'answered', status: 202, body: 'thanks', duration: 0 });
    assert.ok(sent.duration > 0);
    assert.deepEqual(got, { method: 'POST', url: '/hooks?a=b', id: 'msg_1', length: '10', body: '{"a":"ä"}' });
  });
});

test('the connection goes to the IP address that was checked, even if DNS changes', async () => {
  const answers = [['1.1.1.1'], ['127.0.0.1'], ['127.0.0.1']];
  let asked = 0;
  const resolve = async () => answers[asked++] ?? [];
  await withServer(
    (_, response) => response.end(),
    async (port, connections) => {
      // The first answer is public, and the server that would have answered the second never sees a connection.
      const networks = ['203.0.113.0/24'];
      assert.notEqual(
        (await send(`https://rebinding.test:${port}/`, { resolve, networks, deadline: 300 })).kind,
        'answered',
      );
      assert.equal(asked, 1);
      assert.match(
        errorOf(await send(`https://rebinding.test:${port}/`, { resolve, networks })),
        /^127\.0\.0\.1 isn't/,
      );
      assert.equal(connections(), 0);
      assert.equal(errorOf(await send(`http://rebinding.test:${port}/`, { resolve })), '200');
      assert.equal(connections(), 1);
    },
  );
});

test('of several IP addresses only allowed ones are used', async () => {
  const resolve = async () => ['10.0.0.1', '::1', '169.254.169.254', '127.0.0.1'];
  await withServer(
    (_, response) => response.end(),
    async (port, connections) => {
      assert.equal(errorOf(await send(`http://many.test:${port}/`, { resolve })), '200');
      assert.equal(connections(), 1);
      assert.match(errorOf(await send(`https://many.test:${port}/`, { resolve, networks: [] })), /^10\.0\.0\.1 isn't/);
      assert.equal(connections(), 1);
    },
  );
});

test('localhost is refused or allowed by its IP address', async () => {
  await withServer(
    (_, response) => response.end(),
    async (port, connections) => {
      for (const host of ['localhost', 'LOCALHOST']) {
        assert.match(
          errorOf(await send(`https://${host}:${port}/`, { networks: [] })),
          /isn't a public IP address/,
          host,
        );
      }
      assert.equal(connections(), 0);
      assert.equal(errorOf(await send(`http://localhost:${port}/`)), '200');
    },
  );
});

test('plain http is for allowed networks only', async () => {
  const resolve = async () => ['1.1.1.1'];
  assert.match(errorOf(await send('http://public.test/', { resolve })), /^plain http is only for networks/);
  assert.match(
    webhookSender({ networks: [] }).urlProblem(new URL('http://public.test/')) ?? '',
    /must begin with https:/,
  );
  assert.equal(webhookSender({ networks: loopback }).urlProblem(new URL('http://public.test/')), undefined);
  assert.equal(webhookSender({ networks: [] }).urlProblem(new URL('https://public.test/')), undefined);
});

test('a redirect is a response like any other', async () => {
  await withServer(
    (_, response) => response.writeHead(307, { location: '/elsewhere' }).end('over there'),
    async (port, connections) => {
      const sent = await send(`http://127.0.0.1:${port}/`);
      assert.deepEqual({ ...sent, duration: 0 }, { kind: 'answered', status: 307, body: 'over there', duration: 0 });
      assert.equal(connections(), 1);
    },
  );
});

test('at most 64 KB of a response are read', async () => {
  let written = 0;
  const listener: RequestListener = (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16 * 1024))) written += 16;
    };
    response.on('drain', more);
    more();
  };
  await withServer(listener, async (port) => {
    const sent = await send(`http://127.0.0.1:${port}/`);
    assert.ok(sent.kind === 'answered' && sent.status === 200);
    assert.ok(sent.body.length >= 64 * 1024 && sent.body.length < 256 * 1024, String(sent.body.length));
    assert.ok(written < 100_000, `${written} KB were sent`);
  });
});

test('the deadline applies to every phase', async () => {
  const deadline = 200;
  const slow: Record<string, RequestListener> = {
    'no response': () => {},
    'headers bit by bit': (request) => {
      request.socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => request.socket.write('X-Still: here\r\n'), 20);
      request.socket.on('close', () => clearInterval(timer));
    },
  };
  for (const [what, listener] of Object.entries(slow)) {
    await withServer(listener, async (port) => {
      const sent = await send(`http://127.0.0.1:${port}/`, { deadline });
      assert.equal(errorOf(sent), 'no response within 0.2 s', what);
    });
  }
  const never = () => new Promise<never>(() => {});
  const sent = await send('https://slow.test/', { deadline, resolve: never });
  assert.equal(errorOf(sent), 'no response within 0.2 s');
});

test('an invalid or endless response ends the attempt', async () => {
  const answers: Record<string, [RequestListener, RegExp, number?]> = {
    'another protocol': [
      ({ socket }) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      },
      /^the connection was closed before the response$/,
    ],
    'only "continue"': [
      ({ socket }) => {
        const timer = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 5);
        socket.on('error', () => {}).on('close', () => clearInterval(timer));
      },
      /^no response within 0\.2 s$/,
      200,
    ],
    'too many headers': [
      ({ socket }) => socket.on('error', () => {}).write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`),
      /^the response is not valid HTTP$/,
    ],
  };
  for (const [what, [listener, error, deadline = 60_000]] of Object.entries(answers)) {
    await withServer(listener, async (port) => {
      assert.match(errorOf(await send(`http://127.0.0.1:${port}/`, { deadline })), error, what);
    });
  }
});

test('a compressed response is not unpacked', async () => {
  const packed = gzipSync('x'.repeat(10_000_000));
  await withServer(
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    async (port) => {
      const sent = await send(`http://127.0.0.1:${port}/`);
      assert.ok(sent.kind === 'answered' && sent.body.length <= packed.length);
    },
  );
});

test('the status decides, even if the body never ends or is cut off', async () => {
  const listener: RequestListener = (_, response) => {
    response.writeHead(200).write('so far');
  };
  await withServer(listener, async (port) => {
    // Long enough for the status to arrive on busy cores.
    const sent = await send(`http://127.0.0.1:${port}/`, { deadline: 1500 });
    assert.ok(sent.kind === 'answered');
    assert.deepEqual([sent.status, sent.body], [200, 'so far']);
  });
  const breaking: RequestListener = (request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('so far', () => request.socket.destroySoon());
  };
  await withServer(breaking, async (port) => {
    const sent = await send(`http://127.0.0.1:${port}/`);
    assert.deepEqual({ ...sent, duration: 0 }, { kind: 'answered', status: 200, body: 'so far', duration: 0 });
  });
});

test('errors are readable', async () => {
  const server = createTcpServer((socket) => {
    socket
      .on('error', () => {})
      .resume()
      .end('SSH-2.0-server\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  assert.match(errorOf(await send(`http://127.0.0.1:${port}/`)), /^the response is not valid HTTP$/);
  assert.match(errorOf(await send(`https://127.0.0.1:${port}/`)), /^the connection failed|^the connection was closed/);
  await new Promise((resolve) => server.close(resolve));
  assert.equal(errorOf(await send(`http://127.0.0.1:${await freePort()}/`)), 'the connection was refused');
  const unknown = async () => {
    throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
  };
  assert.equal(errorOf(await send('https://nowhere.test/', { resolve: unknown })), 'the host is unknown');
  assert.equal(errorOf(await send('https://empty.test/', { resolve: async () => [] })), 'the host has no IP address');
});

/** Node reads these variables when it starts, so this needs a process of its own. */
test('proxy environment variables are ignored', async () => {
  const program = `
    import http from 'node:http';
    import { webhookSender } from './src/platform/webhooks/sender.ts';
    const [, url] = process.argv;
    const sent = await webhookSender({ networks: ['127.0.0.0/8'] }).send(url, {}, '{}');
    const proxied = await new Promise((resolve) => http.get(url, ({ statusCode }) => resolve(statusCode)));
    console.log(sent.status, proxied);
  `;
  const throughProxy =
    (port: number): RequestListener =>
    (request, response) => {
      response.writeHead(request.url === `http://127.0.0.1:${port}/` ? 299 : 500).end();
    };
  await withServer(
    (_, response) => response.writeHead(202).end(),
    (port) =>
      withServer(throughProxy(port), async (proxy) => {
        const environment = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${proxy}`, NO_PROXY: '' };
        const args = ['--input-type=module', '--eval', program, `http://127.0.0.1:${port}/`];
        const child = spawn(process.execPath, args, { cwd: root, env: cleanEnvironment(environment) });
        const { stdout, stderr } = await finished(child);
        assert.equal(stdout, '202 299\n', stderr);
      }),
  );
});
