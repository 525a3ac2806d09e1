// What a service talks to besides its store: a mail server, a webhook's endpoint, an application that is told of sign-outs, and an
// identity provider.

import { allowLoopbackUpstreams } from '../test/harness/discovery.ts';
import { HostileUpstream } from '../test/harness/hostile-upstream.ts';
import { type MailServer, startMailServer } from '../test/harness/mail-server.ts';
import { allowLoopback, type Receiver, startReceiver } from '../test/harness/webhooks.ts';
import { type Address, startAddress } from './address.ts';

/** Milliseconds, so that a process that is killed often has emails that are being sent. */
const mailDelay = 300;

export class Outside implements AsyncDisposable {
  readonly mail: MailServer;
  readonly webhook: Receiver;
  readonly application: Receiver;
  readonly provider: HostileUpstream;
  /** In front of the mail server and the webhook's endpoint. */
  readonly #addresses: readonly [mail: Address, webhook: Address];
  readonly #stack: AsyncDisposableStack;

  private constructor(
    parts: Pick<Outside, 'mail' | 'webhook' | 'application' | 'provider'>,
    addresses: readonly [Address, Address],
    stack: AsyncDisposableStack,
  ) {
    this.mail = parts.mail;
    this.webhook = parts.webhook;
    this.application = parts.application;
    this.provider = parts.provider;
    this.#addresses = addresses;
    this.#stack = stack;
  }

  static async start(): Promise<Outside> {
    await using stack = new AsyncDisposableStack();
    const stopped = <Part extends { stop(): Promise<void> }>(part: Part) => stack.adopt(part, (each) => each.stop());
    const parts = {
      mail: stopped(await startMailServer({ delay: mailDelay })),
      webhook: stopped(await startReceiver()),
      application: stopped(await startReceiver()),
      provider: stopped(await HostileUpstream.start(() => Date.now())),
    };
    const mailAddress = stopped(await startAddress(Number(new URL(parts.mail.url).port)));
    const webhookAddress = stopped(await startAddress(Number(new URL(parts.webhook.url).port)));
    return new Outside(parts, [mailAddress, webhookAddress], stack.move());
  }

  /** For the service, which takes the addresses of visitors from whoever sends requests here. */
  get settings(): Record<string, string> {
    return {
      LATCHKEY_SMTP_URL: `smtp://127.0.0.1:${this.#addresses[0].port}`,
      LATCHKEY_MAIL_FROM: 'login@latchkey.example',
      LATCHKEY_TRUST_PROXY: '127.0.0.1,::1',
      ...allowLoopback,
      ...allowLoopbackUpstreams,
    };
  }

  get webhookUrl(): string {
    const url = new URL(this.webhook.url);
    url.port = String(this.#addresses[1].port);
    return url.href;
  }

  /** The mail server and the webhook's endpoint stop answering; applications and the identity provider don't. */
  hang(): void {
    for (const address of this.#addresses) address.hang();
  }

  goOn(): void {
    for (const address of this.#addresses) address.goOn();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}
