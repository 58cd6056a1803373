// A browser that is not Chromium: all that the one story asks of each of them.

export interface Cookie {
  name: string;
  value: string;
  httpOnly?: boolean;
}

export interface Engine {
  /** "Firefox 153.7.0", as the browser tells. */
  readonly name: string;

  /** Resolves when the document is loaded. */
  go(url: string): Promise<void>;

  /** A JavaScript expression, which may be a promise; its value as JSON. */
  evaluate<T>(expression: string): Promise<T>;

  /** By a real pointer, at its middle, scrolled into view. */
  click(selector: string): Promise<void>;

  /** Real strokes: characters, or names as in KeyboardEvent.key; "Control+k" holds the first. */
  keys(...keys: string[]): Promise<void>;

  /** Waits until it is truthy, asked now and then; fails with `what` and the path of a picture. */
  until(expression: string, what: string): Promise<void>;

  /** A PNG. */
  screenshot(): Promise<Uint8Array>;

  /** Sizes the window's inside, in CSS pixels. */
  size(width: number, height: number): Promise<void>;

  setCookie(
    cookie: { name: string; value: string; httpOnly?: boolean },
    url: string,
  ): Promise<void>;

  /** What pages told so far of errors and of breaches of their policy, where one hears of it. */
  faults?(): readonly string[];

  end(): Promise<void>;
}
