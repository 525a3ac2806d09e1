// Hands mail to an SMTP server.

import { createTransport } from 'nodemailer';
import { isLoopbackHost } from '../protocol/redirect-uri.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Resolves when the server has taken the mail. */
  send(mail: Mail): Promise<void>;
  /** Resolves when the server answers and takes the credentials. */
  verify(): Promise<void>;
  close(): void;
}

export function smtpMailer(url: string, from: string): Mailer {
  // A server that does not answer must not hold a mail for the minutes that are the library's default.
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
  const { hostname, searchParams } = new URL(url);
  // Credentials and links do not travel in the clear, unless within this machine or because the operator says so.
  const requireTLS = !isLoopbackHost(hostname) && searchParams.get('ignoreTLS') !== 'true';
  const transport = createTransport({ url, ...timeouts, requireTLS, disableFileAccess: true, disableUrlAccess: true });
  return {
    async send(mail) {
      // As an object: an address is never read as a list of addresses.
      await transport.sendMail({ ...mail, from, to: { name: '', address: mail.to } });
    },
    async verify() {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}
