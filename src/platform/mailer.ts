// Sends email through an SMTP server. What waits, and when it is retried, is decided in operations/mail/email-queue.ts.

import type { EmailMessage } from '../protocol/emails.ts';
import { isLoopbackHost } from '../protocol/oauth/redirect-uri.ts';

export interface Mailer {
  /** Resolves when the server has accepted the email. */
  send(email: EmailMessage): Promise<void>;
  /** Resolves when the server responds and accepts the credentials. */
  verify(): Promise<void>;
  /** Ends the connections, and makes what is being sent fail. */
  close(): void;
}

/** `nameOf` names the sender if `from` is an address without a name. */
export function smtpMailer(url: string, from: string, nameOf: () => string): Mailer {
  // The library's defaults are minutes: too long for a server that doesn't respond.
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
  const { hostname, searchParams } = new URL(url);
  // Credentials and links are never sent in the clear, except on this machine or if the operator asks for it.
  const requireTLS = !isLoopbackHost(hostname) && searchParams.get('ignoreTLS') !== 'true';
  // Only the connections of a pool can be ended while they are in use. Each is for one email, and what fails isn't repeated
  // here.
  const pool = { pool: true, maxConnections: 10, maxMessages: 1, maxRequeues: 0 } as const;
  const options = { url, ...timeouts, ...pool, requireTLS, disableFileAccess: true, disableUrlAccess: true };
  let made: ReturnType<typeof newTransport> | undefined;
  // Loaded with the first email: most commands send none.
  const newTransport = async () => (await import('nodemailer')).createTransport(options);
  const transport = () => {
    made ??= newTransport();
    return made;
  };
  return {
    async send(email) {
      // The recipient as an object, so that the library doesn't parse it as a list of addresses.
      const to = { name: '', address: email.to };
      await (await transport()).sendMail({ ...email, from: senderOf(from, nameOf()), to });
    },
    async verify() {
      await (await transport()).verify();
    },
    close() {
      made?.then((open) => open.close({ force: true }));
    },
  };
}

/** The configured sender as it is if it has a name. Otherwise as an object, so that the library quotes the name. */
function senderOf(from: string, name: string): string | { name: string; address: string } {
  const address = /^\s*<([^<>]+)>$/.exec(from)?.[1] ?? from;
  return address.includes('<') ? from : { name, address };
}
