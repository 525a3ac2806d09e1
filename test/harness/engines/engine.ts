// What the journeys of test/browser/engines need of a browser, whichever it is. Elements are found by XPath, which all
// drivers understand; journeys name what people see instead (visitor.ts).

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Engine {
  /** A tab without cookies. Another one may have to be closed first. */
  newTab(): Promise<Tab>;
  close(): Promise<void>;
}

export interface Tab {
  go(url: string): Promise<void>;
  back(): Promise<void>;
  url(): Promise<string>;
  /** The size of the page, without what the browser has around it. */
  resize(size: Size): Promise<void>;
  /** The value of a JavaScript expression. Rejects while another page is being loaded. */
  evaluate(expression: string): Promise<unknown>;
  /** Clicks an element as soon as it's visible. */
  click(xpath: string): Promise<void>;
  /** Types into a field, in place of what it holds. */
  type(xpath: string, text: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** What the browser has kept for the page. */
  cookies(): Promise<Cookie[]>;
  close(): Promise<void>;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export type Key = 'Enter' | 'Escape' | 'Tab';

export interface Cookie {
  readonly name: string;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: string;
  /** False for a cookie that ends with the browser. */
  readonly lasts: boolean;
}

/** Where the browsers are: away from UTC, so that a time that nobody has converted is noticed. */
export const timeZone = 'Pacific/Honolulu';

/** How long any browser may take for one thing, in milliseconds: long enough for a machine that's busy with others. */
export const patience = 60_000;

/** The environment of a browser that leaves nothing behind in the home of whoever runs the tests. */
export function newHome(): { environment: NodeJS.ProcessEnv; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-browser-'));
  const elsewhere = { XDG_CONFIG_HOME: undefined, XDG_CACHE_HOME: undefined, XDG_DATA_HOME: undefined };
  const words = { LANG: 'en_US.UTF-8', LC_ALL: undefined, LANGUAGE: undefined };
  return {
    environment: { ...process.env, ...elsewhere, ...words, HOME: folder, TZ: timeZone },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
