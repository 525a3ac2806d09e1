// What the journeys visit: a service behind TLS as in production, or on http://localhost as on a developer's machine, with
// an application to sign in to and a mail server.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createApplication } from 'node:http';
import { connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { writeCertificate } from '../../harness/certificate.ts';
import { type MailServer, startMailServer } from '../../harness/mail-server.ts';
import { freePort, startTestService, type TestClient, type TestService } from '../../harness/service.ts';

export interface Site {
  /** Where browsers find the service. */
  readonly url: string;
  readonly service: TestService;
  readonly mail: MailServer;
  readonly client: TestClient;
  readonly signedOutUrl: string;
  stop(): Promise<void>;
}

export async function startSite(scheme: 'https' | 'http'): Promise<Site> {
  const mail = await startMailServer();
  const [servicePort, tlsPort, applicationPort] = [await freePort(), await freePort(), await freePort()];
  const url = `${scheme}://localhost:${scheme === 'https' ? tlsPort : servicePort}`;
  const service = await startTestService({
    LATCHKEY_BASE_URL: url,
    LATCHKEY_PORT: String(servicePort),
    LATCHKEY_SIGN_UP: 'open',
    LATCHKEY_SMTP_URL: mail.url,
    LATCHKEY_MAIL_FROM: 'Latchkey <latchkey@example.test>',
  });
  const application = createApplication((_request, response) => {
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end('<!doctype html><title>App</title><h1>Photo album</h1>');
  });
  // Under another host: a browser that has seen HSTS for localhost wants TLS on all of its ports.
  const applicationUrl = `http://127.0.0.1:${applicationPort}`;
  await listen(application, applicationPort, '127.0.0.1');
  const proxy = scheme === 'https' ? tlsInFrontOf(servicePort) : undefined;
  if (proxy !== undefined) await listen(proxy, tlsPort, 'localhost');
  const client = await service.newClient({
    name: 'Photo album',
    redirectUris: [`${applicationUrl}/callback`],
    postLogoutRedirectUris: [`${applicationUrl}/bye`],
  });
  return {
    url,
    service: { ...service, url: `http://localhost:${servicePort}` },
    mail,
    client,
    signedOutUrl: `${applicationUrl}/bye`,
    async stop() {
      application.close();
      proxy?.close();
      await service.stop();
      await mail.stop();
    },
  };
}

const listen = (server: Server, port: number, host: string) =>
  new Promise<void>((resolve) => server.listen(port, host, resolve));

function tlsInFrontOf(port: number): Server {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-tls-'));
  const files = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
  writeCertificate(files);
  const options = { cert: readFileSync(files.certificate), key: readFileSync(files.key) };
  rmSync(folder, { recursive: true });
  return createTlsServer(options, (socket) => {
    const service = connect(port, 'localhost');
    // Browsers drop connections whenever they like.
    for (const each of [socket, service]) each.on('error', () => each.destroy());
    socket.pipe(service).pipe(socket);
  });
}
