// Hands mail to an SMTP server.

import { isLoopbackHost } from '../protocol/oauth/redirect-uri.ts';

export interface EmailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Resolves when the server has taken the mail. */
  send(mail: EmailMessage): Promise<void>;
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
  const options = { url, ...timeouts, requireTLS, disableFileAccess: true, disableUrlAccess: true };
  let made: ReturnType<typeof newTransport> | undefined;
  // Loaded with the first mail: most commands send none.
  const newTransport = async () => (await import('nodemailer')).createTransport(options);
  const transport = () => {
    made ??= newTransport();
    return made;
  };
  return {
    async send(mail) {
      // As an object: an address is never read as a list of addresses.
      await (await transport()).sendMail({ ...mail, from, to: { name: '', address: mail.to } });
    },
    async verify() {
      await (await transport()).verify();
    },
    close() {
      made?.then((open) => open.close());
    },
  };
}
