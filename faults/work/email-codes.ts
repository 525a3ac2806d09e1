// People sign in with codes by email. Each code that the service has promised arrives, soon even if the process that was about to
// send it was killed, and works once.

import { setTimeout as pause } from 'node:timers/promises';
import type { MailServer } from '../../test/harness/mail-server.ts';
import { type Form, formIn, Person, readForm } from '../../test/harness/person.ts';
import { answered, Growing, isSignedIn, lostSessions, missingAfter, page, type Site, type Work } from './work.ts';

/** Seconds. A code whose process was killed is tried again after fifteen; the rest is for a busy machine. */
const arrivalAllowed = 40;
const codeForm = /^([2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4})\r?$/m;

interface Asked {
  readonly email: string;
  readonly person: Person;
  readonly form: Form;
}

export class EmailCodes implements Work {
  readonly #site: Site;
  readonly #mail: Pick<MailServer, 'received' | 'delayed'>;
  readonly #waiting = new Set<Asked>();
  readonly #people: Person[] = [];
  readonly #unchecked = new Growing(this.#people);
  #number = 0;

  constructor(site: Site, mail: Pick<MailServer, 'received' | 'delayed'>) {
    this.#site = site;
    this.#mail = mail;
  }

  get checks() {
    return { 'sign-ins with a code by email': this.#people.length };
  }

  /** Whether a process that is killed now is killed while it sends a code. */
  get isSending(): boolean {
    return [...this.#waiting].some(({ email }) => this.#mail.delayed.has(email));
  }

  /** An account, a browser and a network of its own, because each of them can have only so many codes. */
  async once(ended: () => boolean): Promise<void> {
    const number = ++this.#number;
    const email = `coded${number}@people.example`;
    await this.#site.api('POST', '/api/people', 201, { email, name: 'Ada' });
    const person = new Person(this.#site.service);
    const { fields } = await formIn(await answered(person.visit('/sign-in')), '/sign-in');
    const address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
    const request = { action: '/sign-in/code', fields, buttons: [] };
    const answer = await page(person.submit(request, { email }, { 'X-Forwarded-For': address }));
    const form = readForm(answer, '/sign-in/code');
    if (form?.fields.asked === undefined) throw new Error('no form for the code');
    const asked = { email, person, form };
    this.#waiting.add(asked);
    while (!ended() && this.#codeFor(asked) === undefined) await pause(15);
    await this.#enter(asked);
  }

  #codeFor({ email }: Asked): string | undefined {
    const mails = this.#mail.received.filter(({ to }) => to === email);
    return mails.map(({ text }) => codeForm.exec(text)?.[1]).find(Boolean);
  }

  /** If it has arrived. Without a response, it may have worked. */
  async #enter(asked: Asked): Promise<void> {
    const code = this.#codeFor(asked);
    if (code === undefined) return;
    this.#waiting.delete(asked);
    const { person, form, email } = asked;
    const twin = new Person(this.#site.service);
    for (const [name, value] of person.cookies) twin.cookies.set(name, value);
    await page(person.submit(form, { code }));
    if (!isSignedIn(person)) throw new Error(`no session after the code for ${email}`);
    this.#people.push(person);
    const again = await answered(twin.submit(form, { code }));
    await again.arrayBuffer();
    if (isSignedIn(twin)) throw new Error(`the code for ${email} worked twice`);
  }

  async check(all: boolean): Promise<readonly string[]> {
    for (const asked of this.#waiting) await this.#enter(asked);
    return lostSessions(this.#unchecked.take(all), 'a code by email');
  }

  async finish(): Promise<readonly string[]> {
    const unsent = () => [...this.#waiting].filter((asked) => this.#codeFor(asked) === undefined);
    const lost = await missingAfter(arrivalAllowed, () => unsent().map(({ email }) => `the code for ${email}`));
    return [...lost, ...(await this.check(false))];
  }
}
