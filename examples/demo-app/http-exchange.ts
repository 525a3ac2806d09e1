// Records requests as steps: those that the application sends to Latchkey, and those that the browser sends to the
// application.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { maskedBody, maskedHeader, maskedParameter } from './masking.ts';
import { bounded, lines, type Part, type Recording, type Step } from './recording.ts';

/** The text of a step: always, and depending on whether it was accepted or refused. */
export interface Words {
  readonly title: string;
  readonly why: string;
  readonly accepted?: string;
  readonly refused?: string;
  readonly open?: readonly Part['label'][];
  /** Shown with everything only, unless it fails. */
  readonly detail?: boolean;
}

export interface OutgoingRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The fields of a POST; without them, the request is a GET. */
  readonly form?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly step: Step;
  json(): Record<string, unknown>;
}

const shownHeaders = ['Content-Type', 'Location', 'Cache-Control', 'WWW-Authenticate', 'Retry-After'];

/** Doesn't follow redirects, so that a secret is never sent anywhere else. */
export async function send(request: OutgoingRequest, words: Words, recording: Recording): Promise<Answer> {
  const { url, headers = {}, form } = request;
  const { accepted, refused, ...said } = words;
  const step = recording.add(said);
  step.parts = [outgoing(request)];
  const init = form === undefined ? { headers } : { headers, method: 'POST', body: new URLSearchParams(form) };
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...init, redirect: 'manual' });
    text = await response.text();
  } catch (error) {
    step.conclusion = 'There was no response.';
    throw error;
  }
  const isRefused = response.status >= 400;
  const found = shownHeaders.flatMap((name): [string, string][] => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  step.parts = [...step.parts, incoming(response.status, found, text)];
  step.conclusion = isRefused ? refused : accepted;
  return {
    status: response.status,
    location: response.headers.get('location'),
    step,
    json: () => JSON.parse(text) as Record<string, unknown>,
  };
}

/** Records a request of the browser. The response is added once it has been sent. */
export function visit(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  words: Words,
  recording: Recording,
): Step {
  const { accepted, refused, ...said } = words;
  const step = recording.add(said);
  const asked = part('Request', `${request.method} ${url.origin}${url.pathname}`, query(url));
  step.parts = [asked];
  response.once('finish', () => {
    const headers = ['Location', 'Set-Cookie'].flatMap((name) =>
      [response.getHeader(name) ?? []].flat().map((value): [string, string] => [name, String(value)]),
    );
    // An error page of the application follows from a step that failed; it isn't that step.
    step.parts = [asked, { ...incoming(response.statusCode, headers, ''), refused: false }];
  });
  return step;
}

function outgoing({ url, headers = {}, form }: OutgoingRequest): Part {
  const address = new URL(url);
  const named = Object.entries(headers).map(([name, value]) => [name, maskedHeader(name, value)] as const);
  return part('Request', `${form === undefined ? 'GET' : 'POST'} ${address.origin}${address.pathname}`, [
    ...query(address),
    ...(named.length === 0 ? [] : [{ label: 'Headers', text: lines(named) }]),
    ...(form === undefined ? [] : [{ label: 'Form', text: lines(maskedFields(Object.entries(form))) }]),
  ]);
}

function incoming(status: number, headers: readonly [string, string][], body: string): Part {
  // The parameters of a long URL are easier to read one per line.
  const location = headers.find(([name]) => name === 'Location')?.[1];
  const [path = '', search = ''] = location?.split('?') ?? [];
  const others = headers.filter(([name]) => name !== 'Location');
  const parameters = lines(maskedFields(new URLSearchParams(search)));
  const reached = location === undefined ? '' : `, to ${path}`;
  const sections = [
    ...(location === undefined ? [] : [{ label: 'Location', text: `${bounded(path)}\n${parameters}`.trim() }]),
    { label: 'Headers', text: lines(others.map(([name, value]) => [name, maskedHeader(name, value)])) },
    { label: 'Body', text: body === '' ? '' : bounded(maskedBody(body)) },
  ];
  return { ...part('Response', `${status} ${STATUS_CODES[status] ?? ''}${reached}`, sections), refused: status >= 400 };
}

function query(url: URL): Part['sections'] {
  const parameters = maskedFields(url.searchParams);
  return parameters.length === 0 ? [] : [{ label: 'Parameters', text: lines(parameters) }];
}

function maskedFields(fields: Iterable<readonly [string, string]>): [string, string][] {
  return [...fields].map(([name, value]) => [name, maskedParameter(name, value)]);
}

function part(label: Part['label'], summary: string, sections: Part['sections']): Part {
  return { label, summary: bounded(summary), sections };
}
