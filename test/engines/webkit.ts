// WebKit, Safari's engine, as packaged by Debian: driven by WebDriver on a virtual display.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PAGE_MS } from "../patience.ts";
import { ProcessOutput } from "../process-output.ts";
import type { Engine } from "./engine.ts";
import { strokesOf } from "./keyboard.ts";

const LIBRARIES = "/usr/lib";
const BROWSERS = new Bun.Glob("*/webkit2gtk-4.*/MiniBrowser");
const SCREEN = ["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "1600x1200x24"];

/** Renders without a graphics card, and also runs as root. */
const SOFTWARE_RENDERING = {
  LIBGL_ALWAYS_SOFTWARE: "1",
  WEBKIT_DISABLE_DMABUF_RENDERER: "1",
  WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
};
/** Removes the title bar, which limits how narrow the window can be, and disables animations. */
const LOOK = {
  "gtk.css": "* { min-width: 0; padding: 0; margin: 0; border: 0; font-size: 1px }",
  "settings.ini": "[Settings]\ngtk-enable-animations=0\n",
};
/** The driver does not notice when a script's page is gone. */
const SCRIPT_MS = 5000;
const POLL_MS = 50;
/** Time for a navigation, during which the driver never answers requests. */
const LEAD_TIME_MS = 1500;

// oxlint-disable-next-line no-explicit-any -- responses are untyped JSON
type Json = any;

/** Undefined if the browser, its driver or the display is not installed. */
export async function openWebKit(): Promise<Engine | undefined> {
  const [browser] = BROWSERS.scanSync({ cwd: LIBRARIES, onlyFiles: true });
  const [driver, screen] = ["WebKitWebDriver", "Xvfb"].map((name) => Bun.which(name));
  if (browser === undefined || !driver || !screen) return undefined;
  return WebKit.open({ browser: join(LIBRARIES, browser), driver, screen });
}

class WebKit implements Engine {
  name = "WebKit";
  private session = "";
  private readonly home = mkdtempSync(join(tmpdir(), "skein-webkit-"));
  private readonly children: Bun.Subprocess[] = [];

  static async open(programs: Record<"browser" | "driver" | "screen", string>): Promise<WebKit> {
    const webkit = new WebKit();
    try {
      await webkit.startSession(programs);
    } catch (error) {
      await webkit.cleanUp();
      throw error;
    }
    return webkit;
  }

  private async startSession({ browser, driver, screen }: Record<string, string>): Promise<void> {
    const shown = Bun.spawn([screen!, ...SCREEN], { stdio: ["ignore", "pipe", "ignore"] });
    this.children.push(shown);
    const display = await ProcessOutput.from(shown.stdout).untilMatch((lines) => lines.trim());
    const port = freePort();
    const child = Bun.spawn([driver!, `--port=${port}`], {
      stdio: ["ignore", "ignore", "ignore"],
      env: {
        ...process.env,
        ...SOFTWARE_RENDERING,
        HOME: this.home,
        DISPLAY: `:${display}`,
        LANG: "C.UTF-8",
      },
    });
    this.children.push(child);
    const url = `http://127.0.0.1:${port}`;
    while (!(await exists(url))) {
      if (child.exitCode !== null) throw new Error(`the driver ended with ${child.exitCode}`);
      await Bun.sleep(POLL_MS);
    }
    const options = { binary: this.withCapabilities(browser!), args: ["--automation"] };
    const expected = { browserName: "MiniBrowser", "webkitgtk:browserOptions": options };
    const newSession = await request(`${url}/session`, "POST", {
      capabilities: { alwaysMatch: expected },
    });
    this.name = `WebKit ${newSession.capabilities.browserVersion}`;
    this.session = `${url}/session/${newSession.sessionId}`;
    await this.post("timeouts", { script: SCRIPT_MS, pageLoad: PAGE_MS });
  }

  /** Writes a wrapper program that records the browser's process id. */
  private withCapabilities(browser: string): string {
    const folder = join(this.home, ".config/gtk-3.0");
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(LOOK)) writeFileSync(join(folder, name), text);
    const program = join(this.home, "browser");
    const script = `#!/bin/sh\necho $$ > "${this.pid}"\nexec "${browser}" "$@"\n`;
    writeFileSync(program, script, { mode: 0o700 });
    return program;
  }

  private get pid(): string {
    return join(this.home, "pid");
  }

  async navigate(url: string): Promise<void> {
    await this.post("url", { url });
    await Bun.sleep(LEAD_TIME_MS);
  }

  async evaluate<T>(expression: string): Promise<T> {
    const json = await this.run(expression, "(it) => JSON.stringify(it ?? null)");
    if (expression.includes("location.")) await Bun.sleep(LEAD_TIME_MS);
    return JSON.parse(json) as T;
  }

  async click(selector: string): Promise<void> {
    const element = await this.post("element", { using: "css selector", value: selector });
    const origin = "viewport";
    const middle = `(() => {
      const found = arguments[0];
      found.scrollIntoView({ block: "nearest", behavior: "instant" });
      const { left, top, width, height } = found.getBoundingClientRect();
      return [Math.round(left + width / 2), Math.round(top + height / 2)];
    })()`;
    const script = `return ${middle}`;
    const [x, y] = await this.post("execute/sync", { script, args: [element] });
    const actions = [
      { type: "pointerMove", x, y, origin },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ];
    const parameters = { pointerType: "mouse" };
    await this.act({ type: "pointer", id: "mouse", parameters, actions });
  }

  async pressKeys(...keys: string[]): Promise<void> {
    await this.act({ type: "key", id: "keyboard", actions: keys.flatMap(strokesOf) });
    if (keys.at(-1) === "Enter") await Bun.sleep(LEAD_TIME_MS);
  }

  async until(expression: string, label: string): Promise<void> {
    const end = performance.now() + PAGE_MS;
    // During a navigation no page can evaluate the expression.
    while (!(await this.run(expression, "Boolean").catch(() => false))) {
      if (performance.now() > end) throw new Error(`${label}: ${await this.takePicture()}`);
      await Bun.sleep(POLL_MS);
    }
  }

  async screenshot(): Promise<Uint8Array> {
    return Uint8Array.fromBase64(await request(`${this.session}/screenshot`, "GET"));
  }

  /** WebDriver sets the outer size of the window. */
  async resize(width: number, height: number): Promise<void> {
    const outer = await request(`${this.session}/window/rect`, "GET");
    const [wide, high] = await this.evaluate<[number, number]>("[innerWidth, innerHeight]");
    const rect = { width: outer.width + width - wide, height: outer.height + height - high };
    await this.post("window/rect", rect);
    await this.until(`innerWidth === ${width} && innerHeight === ${height}`, "a window so large");
  }

  /** Cookies can only be set for the current site. */
  async setCookie(
    cookie: { name: string; value: string; httpOnly?: boolean },
    url: string,
  ): Promise<void> {
    await this.navigate(`${url}/health`);
    await this.post("cookie", { cookie: { ...cookie, path: "/", sameSite: "Lax" } });
  }

  async end(): Promise<void> {
    await request(this.session, "DELETE").catch(() => undefined);
    await this.cleanUp();
  }

  /** A promise is never settled if the page navigates while waiting for it. */
  private run(expression: string, wrapper: string): Promise<Json> {
    const script = `const it = ${expression};
      return typeof it?.then === "function" ? it.then(${wrapper}) : (${wrapper})(it);`;
    return this.post("execute/sync", { script, args: [] });
  }

  private post(path: string, body: Json): Promise<Json> {
    return request(`${this.session}/${path}`, "POST", body);
  }

  private act(source: object): Promise<void> {
    return this.post("actions", { actions: [source] });
  }

  /** Takes a screenshot of a failure. */
  private async takePicture(): Promise<string> {
    const path = join(tmpdir(), `skein-webkit-${Date.now()}.png`);
    writeFileSync(path, await this.screenshot());
    return `${this.name} shows ${path}`;
  }

  /** The driver does not end its browser. */
  private async cleanUp(): Promise<void> {
    try {
      process.kill(Number(readFileSync(this.pid, "utf8")));
    } catch {
      // The process has already ended, or never started.
    }
    for (const child of this.children.toReversed()) {
      child.kill();
      await child.exited;
    }
    rmSync(this.home, { recursive: true, force: true });
  }
}

const exists = (url: string): Promise<boolean> =>
  fetch(`${url}/status`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Returns the value of a response; a rejected command throws an error that names it. */
async function request(url: string, method: string, body?: Json): Promise<Json> {
  const requestBody = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url, { method, ...requestBody });
  const { value } = (await response.json()) as Json;
  if (!response.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
  return value;
}

function freePort(): number {
  const server = Bun.serve({ port: 0, fetch: () => new Response() });
  const port = server.port!;
  void server.stop(true);
  return port;
}
