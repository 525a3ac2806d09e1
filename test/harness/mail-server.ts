// A real SMTP server that keeps the emails it receives, for tests that read them.

import { SMTPServer } from 'smtp-server';
import { freePort } from './service.ts';

export interface ReceivedMail {
  /** The recipient of the envelope. The header may name another one. */
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The one link in the text; throws when there is none, or more than one. */
  readonly link: string;
  readonly raw: string;
}

/** What the server answers instead of accepting an email: 4xx means "later", 5xx means "never". */
export interface Refusal {
  readonly code: number;
  readonly text: string;
}

export interface MailServer {
  /** The value for LATCHKEY_SMTP_URL. */
  readonly url: string;
  /** Every email accepted so far, in order. */
  readonly received: readonly ReceivedMail[];
  /** The recipients that the server is about to accept. */
  readonly delayed: ReadonlySet<string>;
  /** How many emails were refused. */
  readonly refused: number;
  /** The first email to this address with this subject that wasn't returned before. Waits for it. */
  next(to: string, subject: RegExp): Promise<ReceivedMail>;
  /** From now on, refuses the recipient or the sender of every email in this way, or accepts them again. */
  refuse(refusal: Refusal | undefined, whom?: 'recipient' | 'sender'): void;
  /** Closes the port and keeps the emails. */
  stop(): Promise<void>;
  /** Opens the same port again. */
  startAgain(): Promise<void>;
}

/** With a delay, in milliseconds, the server takes so long until it accepts a recipient. */
export async function startMailServer({ delay }: { readonly delay?: number } = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const handedOut = new Set<ReceivedMail>();
  const waiting = new Set<() => void>();
  const delayed = new Set<string>();
  let refusal: Refusal | undefined;
  let refusedParty: 'recipient' | 'sender' = 'recipient';
  let refused = 0;
  // Not one of the system's, which somebody else could get while this is stopped.
  const port = await freePort();
  let server = await listen();

  function answer(party: typeof refusedParty, done: (error?: Error) => void): void {
    const isRefused = refusal !== undefined && party === refusedParty;
    if (isRefused) refused += 1;
    done(isRefused ? Object.assign(new Error(refusal?.text), { responseCode: refusal?.code }) : undefined);
  }

  async function listen(): Promise<SMTPServer> {
    const made = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      // Cuts connections that a test left open instead of waiting for them.
      closeTimeout: 100,
      onMailFrom: (_address, _session, done) => answer('sender', done),
      onRcptTo({ address }, _session, done) {
        if (delay === undefined) return answer('recipient', done);
        delayed.add(address);
        setTimeout(() => {
          delayed.delete(address);
          answer('recipient', done);
        }, delay);
      },
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const raw = Buffer.concat(chunks).toString('latin1');
          for (const { address } of session.envelope.rcptTo) received.push(readMail(raw, address));
          done();
          for (const look of [...waiting]) look();
        });
      },
    });
    made.on('error', () => {});
    await new Promise<void>((resolve, reject) => {
      made.server.once('error', reject);
      made.listen(port, '127.0.0.1', resolve);
    });
    return made;
  }

  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    delayed,
    get refused() {
      return refused;
    },

    next(to, subject) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = received.find((mail) => mail.to === to && subject.test(mail.subject) && !handedOut.has(mail));
          if (found === undefined) return;
          handedOut.add(found);
          stopLooking();
          resolve(found);
        };
        const giveUp = () => {
          stopLooking();
          const others = received.map((mail) => `${mail.to}: ${mail.subject}`).join('\n  ');
          reject(new Error(`no mail to ${to} with ${subject} came. What came:\n  ${others}`));
        };
        const timer = setTimeout(giveUp, 60_000);
        const stopLooking = () => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      });
    },

    refuse(how, whom = 'recipient') {
      refusal = how;
      refusedParty = whom;
    },

    stop: () => new Promise((resolve) => server.close(() => resolve())),

    async startAgain() {
      server = await listen();
    },
  };
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  /** The bytes of the body, as Latin-1. */
  readonly body: string;
}

/** `raw` holds the bytes of the message, as Latin-1. */
function readMail(raw: string, to: string): ReceivedMail {
  const message = readPart(raw);
  const parts = leaves(message);
  const subject = decodeWords(message.headers.get('subject') ?? '');
  const from = decodeWords(message.headers.get('from') ?? '');
  const text = contentOf(parts, 'text/plain');
  const html = contentOf(parts, 'text/html');
  return {
    to,
    from,
    subject,
    text,
    html,
    raw,
    get link() {
      const [link, another] = text.match(/https?:\/\/\S+\?link=\S+/g) ?? text.match(/https?:\/\/\S+\/\S+/g) ?? [];
      if (link === undefined || another !== undefined) throw new Error(`not one link in: ${text}`);
      return link;
    },
  };
}

function readPart(text: string): Part {
  const end = text.indexOf('\r\n\r\n');
  // A header continues on the next line when that starts with a space.
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { headers: new Map(headers), body: text.slice(end + 4) };
}

/** The parts that have no parts themselves. */
function leaves(part: Part): Part[] {
  const type = part.headers.get('content-type') ?? '';
  const boundary = /^multipart\/.*boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (boundary === undefined) return [part];
  const inside = `\r\n${part.body}`.split(`\r\n--${boundary}`).slice(1, -1);
  return inside.flatMap((piece) => leaves(readPart(piece.replace(/^[ \t]*\r\n/, ''))));
}

function contentOf(parts: readonly Part[], type: string): string {
  const part = parts.find(({ headers }) => (headers.get('content-type') ?? 'text/plain').startsWith(type));
  if (part === undefined) return '';
  const encoding = part.headers.get('content-transfer-encoding')?.toLowerCase() ?? '7bit';
  return bytesOf(part.body, encoding).toString('utf8').replaceAll('\r\n', '\n');
}

function bytesOf(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  return Buffer.from(encoding === 'quoted-printable' ? decodeQuoted(body.replace(/=\r\n/g, '')) : body, 'latin1');
}

function decodeQuoted(text: string): string {
  return text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Encoded words in a header (RFC 2047): =?UTF-8?Q?…?= and =?UTF-8?B?…?=. */
function decodeWords(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, words: string) =>
      (kind.toUpperCase() === 'B'
        ? Buffer.from(words, 'base64')
        : Buffer.from(decodeQuoted(words.replaceAll('_', ' ')), 'latin1')
      ).toString('utf8'),
    );
}
