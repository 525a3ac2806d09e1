// What the journeys of test/browser/engines need of a browser, whichever it is. Elements are found by XPath, which all
// drivers understand; journeys name what people see instead (visitor.ts).

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

/** How long a browser may take for one thing, in milliseconds. */
export const patience = 15_000;

/** Away from UTC, so that a time that isn't in the reader's zone is noticed. Everything else is as on any machine. */
export const environment = { ...process.env, TZ: 'Pacific/Honolulu', LANG: 'en_US.UTF-8', LC_ALL: '', LANGUAGE: '' };
