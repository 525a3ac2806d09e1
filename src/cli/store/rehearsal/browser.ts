// A browser for the rehearsal: keeps cookies, finds forms, and stops where a redirect leaves the service. The copy listens on a port
// of its own, and is told that it has the URL of the service, as from a proxy.

import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Form {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

export class Browser {
  readonly #port: number;
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();

  constructor(port: number, origin: string) {
    this.#port = port;
    this.#origin = origin;
  }

  /** Opens a page, or sends a form, and follows redirects within the service. */
  async visit(path: string, fields?: Readonly<Record<string, string>>): Promise<Answer> {
    let answer = await this.#ask(path, fields);
    for (let hops = 0; answer.location?.startsWith('/') && hops < 10; hops++) answer = await this.#ask(answer.location);
    return answer;
  }

  /** Reads the first megabyte: all of it may take longer than a download may, and doesn't fit into memory. */
  async download(path: string): Promise<Answer> {
    const response = await send(this.#port, path, this.#headers());
    let beginning = '';
    for await (const part of response.setEncoding('utf8')) {
      beginning += part;
      // Leaving the loop ends the request.
      if (beginning.length > 1_000_000) break;
    }
    return { status: response.statusCode ?? 0, location: response.headers.location, text: beginning };
  }

  #headers(): Record<string, string> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { Origin: this.#origin, 'Accept-Language': 'en', ...(cookie !== '' && { Cookie: cookie }) };
  }

  async #ask(path: string, fields?: Readonly<Record<string, string>>): Promise<Answer> {
    const { status, headers: answered, text } = await requestTo(this.#port, path, this.#headers(), fields);
    for (const line of answered['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return { status, location: answered.location, text };
  }
}

export function formIn(page: Answer, action: string): Form {
  for (const [, attributes = '', content = ''] of page.text.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)) {
    if (attribute(attributes, 'action') !== action) continue;
    const inputs = Array.from(content.matchAll(/<input[^>]*type="hidden"[^>]*>/g), ([input]) => input);
    const fields = inputs.map((input) => [attribute(input, 'name') ?? '', attribute(input, 'value') ?? '']);
    return { action, fields: Object.fromEntries(fields) };
  }
  throw new Error(`a page (${page.status}) lacks its form ${action}`);
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', '#39': "'", lt: '<', gt: '>' };
  return value?.replaceAll(/&(amp|quot|#39|lt|gt);/g, (whole, entity) => entities[entity] ?? whole);
}

export interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One request to the copy, on this machine only. With `fields` it's a form that is posted. */
export async function requestTo(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  fields?: Readonly<Record<string, string>>,
): Promise<Response> {
  const response = await send(port, path, headers, fields);
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
}

async function send(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  fields?: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  const body = fields === undefined ? undefined : new URLSearchParams(fields).toString();
  const asForm = body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...asForm },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}
