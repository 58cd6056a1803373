// Firefox as packaged by Debian, headless, driven over its own socket.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PAGE_MS } from "../patience.ts";
import { ProcessOutput } from "../process-output.ts";
import { Bidi } from "./bidi.ts";
import type { Cookie, Engine } from "./engine.ts";
import { strokesOf } from "./keyboard.ts";

/** Debian's program name first; other installations use the plain name. */
const PROGRAMS = ["firefox-esr", "firefox"];
const ARGUMENTS = ["--headless", "--no-remote", "--remote-debugging-port", "0"];
const SOCKET = /^WebDriver BiDi listening on (ws:\/\/\S+)$/m;

/** Disables network requests and dialogs of a fresh profile, and sets the language of the test. */
const PREFERENCES: Record<string, boolean | number | string> = {
  "app.normandy.enabled": false,
  "app.update.disabledForTesting": true,
  "browser.region.network.url": "",
  "browser.safebrowsing.update.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.page": 0,
  "captivedetect.canonicalURL": "",
  "datareporting.policy.dataSubmissionEnabled": false,
  "datareporting.usage.uploadEnabled": false,
  "dom.push.connection.enabled": false,
  "extensions.systemAddon.update.enabled": false,
  "intl.accept_languages": "en-US, en",
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,none",
  "signon.rememberSignons": false,
  "termsofuse.acceptedVersion": 999,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
  // Disables animations.
  "ui.prefersReducedMotion": 1,
};

const POLL_MS = 50;

/** Undefined if Firefox is not installed. */
export async function openFirefox(): Promise<Engine | undefined> {
  const program = PROGRAMS.map((name) => Bun.which(name)).find((path) => path !== null);
  return program === undefined ? undefined : Firefox.open(program);
}

class Firefox implements Engine {
  name = "Firefox";
  private bidi!: Bidi;
  private context = "";
  private readonly consoleErrors: string[] = [];

  private constructor(
    private readonly profile: string,
    private readonly child: Bun.Subprocess,
  ) {}

  static async open(program: string): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), "skein-firefox-"));
    const lines = Object.entries(PREFERENCES).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    writeFileSync(join(profile, "user.js"), lines.join("\n"));
    const child = Bun.spawn([program, ...ARGUMENTS, "--profile", profile], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: "1" },
    });
    const firefox = new Firefox(profile, child);
    try {
      await firefox.startSession(
        await ProcessOutput.from(child.stderr).untilMatch((all) => SOCKET.exec(all)?.[1]),
      );
    } catch (error) {
      await firefox.cleanUp();
      throw error;
    }
    return firefox;
  }

  private async startSession(url: string): Promise<void> {
    const bidi = await Bidi.open(`${url}/session`, (method, params) =>
      this.addLogEntry(method, params),
    );
    this.bidi = bidi;
    const { capabilities } = await bidi.send("session.new", { capabilities: {} });
    this.name = `Firefox ${capabilities.browserVersion}`;
    const { contexts } = await bidi.send("browsingContext.getTree");
    this.context = contexts[0].context;
    await bidi.send("session.subscribe", { events: ["log.entryAdded"] });
    await bidi.send("browsingContext.activate", { context: this.context });
    // A headless window never has focus; drivers of other browsers claim that it does.
    const functionDeclaration = "() => { document.hasFocus = () => true; }";
    await bidi.send("script.addPreloadScript", { functionDeclaration });
  }

  faults(): readonly string[] {
    return this.consoleErrors;
  }

  // oxlint-disable-next-line no-explicit-any -- an event of the protocol
  private addLogEntry(_method: string, entry: any): void {
    if (entry.level === "error") this.consoleErrors.push(entry.text);
  }

  async navigate(url: string): Promise<void> {
    await this.bidi.send("browsingContext.navigate", {
      ...this.contextParams,
      url,
      wait: "complete",
    });
  }

  async evaluate<T>(expression: string): Promise<T> {
    const asJson = `Promise.resolve(${expression}).then((it) => JSON.stringify(it ?? null))`;
    const { result, exceptionDetails } = await this.bidi.send("script.evaluate", {
      expression: asJson,
      target: this.contextParams,
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`);
    return JSON.parse(result.value) as T;
  }

  async click(selector: string): Promise<void> {
    const [x, y] = await this.evaluate<[number, number]>(middleOf(selector));
    const actions = [
      { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ];
    await this.act({ type: "pointer", id: "mouse", actions });
  }

  pressKeys(...keys: string[]): Promise<void> {
    return this.act({ type: "key", id: "keyboard", actions: keys.flatMap(strokesOf) });
  }

  async until(expression: string, label: string): Promise<void> {
    const end = performance.now() + PAGE_MS;
    const requested = `Promise.resolve(${expression}).then(Boolean)`;
    // During a navigation no page can evaluate the expression.
    while (!(await this.evaluate<boolean>(requested).catch(() => false))) {
      if (performance.now() > end) throw new Error(`${label}: ${await this.takePicture()}`);
      await Bun.sleep(POLL_MS);
    }
  }

  async screenshot(): Promise<Uint8Array> {
    const { data } = await this.bidi.send("browsingContext.captureScreenshot", this.contextParams);
    return Uint8Array.fromBase64(data);
  }

  async resize(width: number, height: number): Promise<void> {
    const viewport = { width, height };
    await this.bidi.send("browsingContext.setViewport", { ...this.contextParams, viewport });
  }

  async setCookie({ name, value, httpOnly = false }: Cookie, url: string): Promise<void> {
    const { hostname: domain } = new URL(url);
    const serialized = { type: "string", value };
    const cookie = { name, value: serialized, domain, path: "/", httpOnly, sameSite: "lax" };
    await this.bidi.send("storage.setCookie", { cookie });
  }

  async end(): Promise<void> {
    await this.bidi.send("browser.close").catch(() => undefined);
    this.bidi.close();
    await this.cleanUp();
  }

  private get contextParams(): { context: string } {
    return { context: this.context };
  }

  private async act(source: object): Promise<void> {
    await this.bidi.send("input.performActions", { ...this.contextParams, actions: [source] });
  }

  /** Takes a screenshot of a failure. */
  private async takePicture(): Promise<string> {
    const path = join(tmpdir(), `skein-firefox-${Date.now()}.png`);
    writeFileSync(path, await this.screenshot());
    return `${this.name} shows ${path}`;
  }

  private async cleanUp(): Promise<void> {
    this.child.kill();
    await this.child.exited;
    rmSync(this.profile, { recursive: true, force: true });
  }
}

/** Scrolls the element into view; throws if it does not exist. */
const middleOf = (selector: string) => `(() => {
  const found = document.querySelector(${JSON.stringify(selector)});
  if (found === null) throw new Error("nothing there");
  found.scrollIntoView({ block: "nearest", behavior: "instant" });
  const { left, top, width, height } = found.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
})()`;
