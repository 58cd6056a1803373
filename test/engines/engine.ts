// Interface to a browser other than Chromium, as far as the scenario needs it.

export interface Cookie {
  name: string;
  value: string;
  httpOnly?: boolean;
}

export interface Engine {
  /** For example "Firefox 153.7.0", as reported by the browser. */
  readonly name: string;

  /** Resolves when the document is loaded. */
  navigate(url: string): Promise<void>;

  /** Evaluates a JavaScript expression, which may be a promise, and returns its value as JSON. */
  evaluate<T>(expression: string): Promise<T>;

  /** Clicks with a real pointer in the middle of the element, after scrolling it into view. */
  click(selector: string): Promise<void>;

  /** Presses keys: characters, or names as in KeyboardEvent.key; "Control+k" holds the first. */
  pressKeys(...keys: string[]): Promise<void>;

  /** Polls until it is truthy; fails with `what` and the path of a screenshot. */
  until(expression: string, label: string): Promise<void>;

  /** A PNG. */
  screenshot(): Promise<Uint8Array>;

  /** Sets the size of the viewport in CSS pixels. */
  resize(width: number, height: number): Promise<void>;

  setCookie(
    cookie: { name: string; value: string; httpOnly?: boolean },
    url: string,
  ): Promise<void>;

  /** Errors and CSP violations of pages so far, if the engine reports them. */
  faults?(): readonly string[];

  end(): Promise<void>;
}
