// A person whose browser has no JavaScript: keeps cookies, reads and submits forms, and follows redirects within the
// service only.

import type { TestService, TestUser } from './service.ts';

export interface Form {
  readonly action: string;
  readonly fields: Record<string, string>;
  /** The submit buttons, as name and value. */
  readonly buttons: readonly { readonly name: string; readonly value: string }[];
}

export class Person {
  readonly #service: TestService;
  readonly cookies = new Map<string, string>();

  constructor(service: TestService) {
    this.#service = service;
  }

  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path, this.#service.url);
    const headers = new Headers(init.headers);
    if (this.cookies.size > 0) {
      headers.set('Cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const equals = pair.indexOf('=');
      if (/max-age=0/i.test(line)) this.cookies.delete(pair.slice(0, equals));
      else this.cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
    }
    return response;
  }

  /** Opens a page and follows redirects within the service. */
  async visit(path: string): Promise<Response> {
    return this.#follow(await this.request(path));
  }

  async submit(form: Form, values: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    const body = new URLSearchParams({ ...form.fields, ...values });
    const init = {
      method: 'POST',
      body,
      headers: { Origin: this.#service.baseUrl ?? this.#service.url, ...headers },
    };
    return this.#follow(await this.request(form.action, init));
  }

  /** `boxes` are those that are ticked. */
  async signIn(user: TestUser, boxes: { keep?: 'yes' } = {}): Promise<Response> {
    const form = await formIn(await this.visit('/sign-in'));
    return this.submit(form, { email: user.email, password: user.password, ...boxes });
  }

  /** Goes from an authorization request to the response for the client, signing in and approving on the way. */
  async authorize(path: string, user: TestUser): Promise<URL> {
    let response = await this.visit(path);
    if (response.status === 200) {
      const page = await response.text();
      const signIn = readForm(page, '/sign-in');
      response = signIn
        ? await this.submit(signIn, { email: user.email, password: user.password })
        : new Response(page, { status: 200 });
    }
    if (response.status === 200) {
      const page = await response.text();
      const consent = readForm(page, '/oauth-authorize/decision');
      if (consent === undefined) throw new Error(`no consent form in: ${page}`);
      response = await this.submit(consent, { decision: 'approve' });
    }
    return answerOf(response);
  }

  async #follow(first: Response): Promise<Response> {
    let response = first;
    for (let hops = 0; hops < 10; hops++) {
      const location = response.headers.get('location');
      if (location === null || !location.startsWith('/')) return response;
      response = await this.request(location);
    }
    throw new Error('too many redirects');
  }
}

/** Where a response redirects to, which must be outside the service. */
export function answerOf(response: Response): URL {
  const location = response.headers.get('location');
  if (location === null) throw new Error(`no redirect but ${response.status}`);
  return new URL(location);
}

export async function formIn(response: Response, action?: string): Promise<Form> {
  const page = await response.text();
  const form = readForm(page, action);
  if (form === undefined) throw new Error(`no form in: ${page}`);
  return form;
}

/** By its action, where a search may lead to as well; without one, the first form. */
export function readForm(page: string, action?: string, method: 'get' | 'post' = 'post'): Form | undefined {
  const form = [...page.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)]
    .map(([, attributes = '', content = '']) => ({ attributes, content }))
    .find(({ attributes: each }) => {
      if (action === undefined) return true;
      return attribute(each, 'action') === action && attribute(each, 'method') === method;
    });
  if (form === undefined) return undefined;
  const fields: Record<string, string> = {};
  for (const [input] of form.content.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    fields[attribute(input, 'name') ?? ''] = attribute(input, 'value') ?? '';
  }
  const buttons = [...form.content.matchAll(/<button[^>]*>/g)].map(([button]) => ({
    name: attribute(button, 'name') ?? '',
    value: attribute(button, 'value') ?? '',
  }));
  return { action: attribute(form.attributes, 'action') ?? '', fields, buttons };
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value?.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<');
}
