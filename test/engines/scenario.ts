// A user's typical day, run in every supported browser besides Chromium.
import { expect } from "bun:test";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { PASSWORD } from "../browser.ts";
import { emailOf } from "../users.ts";
import { BrowserFixture } from "../web/browser-fixture.ts";
import type { Engine } from "./engine.ts";

const DESK = [1360, 860] as const;
const PHONE = [390, 844] as const;

/** Records errors and CSP violations of a page. */
const LISTEN = `void (window.told ??= (() => {
  const told = [];
  addEventListener("error", ({ message }) => told.push(message));
  addEventListener("unhandledrejection", ({ reason }) => told.push(String(reason)));
  document.addEventListener("securitypolicyviolation", (breach) =>
    told.push(breach.violatedDirective + " " + breach.blockedURI));
  return told;
})())`;

/** Waits until a message is in the feed and on the server. */
const stands = (text: string) =>
  `[...document.querySelectorAll(".feed .msg:not([data-state])")]
    .some((row) => row.textContent.includes(${JSON.stringify(text)}))`;
const isAt = (name: string) =>
  `document.querySelector("main h1")?.textContent.includes(${JSON.stringify(name)})`;
const exists = (selector: string) => `document.querySelector(${JSON.stringify(selector)})`;
const WHOLE = `document.body.dataset.whole !== undefined`;
const AREA = ".compose textarea";
const isIncluded = (selector: string) =>
  `document.activeElement.matches(${JSON.stringify(selector)})`;

/** Bo's day, on a test server of its own. */
export async function runScenario(engine: Engine): Promise<void> {
  const fixture = await BrowserFixture.open();
  try {
    const day = new Day(engine, fixture);
    await day.begin();
    await day.signIn();
    await day.read();
    await day.write();
    await day.find();
    await day.settle();
    await day.loseNetwork();
    await day.takePhone();
    await day.end();
  } finally {
    await fixture.close();
  }
}

class Day {
  constructor(
    private readonly engine: Engine,
    private readonly fixture: BrowserFixture,
  ) {}

  async begin(): Promise<void> {
    const { testServer, stream_id } = this.fixture;
    const hash = await hashPassword(PASSWORD);
    await testServer.realm.write((tx) =>
      tx.passwords.put({ user_id: testServer.idOf("bo"), hash }),
    );
    await this.fixture.post("ada", "Which of the two do you **like**, $$\\sqrt{x}$$?");
    const to = { type: "channel", to: this.fixture.stream_id, topic: "poster" };
    await testServer.request("ada", "POST /messages", {
      ...to,
      content: "The poster is at the printer",
    });
    expect(stream_id).toBeGreaterThan(0);
  }

  /** Signs in with the form, as users do. */
  async signIn(): Promise<void> {
    const { engine, fixture } = this;
    await engine.size(...DESK);
    await engine.navigate(`${fixture.testServer.url}/`);
    const isForm = `location.pathname === "/login/" && document.readyState === "complete"`;
    await engine.until(isForm, "the way to sign in");
    await engine.click("input[name=username]");
    await engine.keys(...emailOf("bo"));
    await engine.click("input[name=password]");
    await engine.keys(...PASSWORD, "Enter");
    await engine.until(`${isAt("Inbox")} && ${WHOLE}`, "the inbox");
    await engine.evaluate(LISTEN);
  }

  /** Opens a topic from the inbox; its message is displayed as the server renders it. */
  async read(): Promise<void> {
    const { engine } = this;
    await engine.until(`document.querySelectorAll(".list-row").length === 2`, "two topics unread");
    await engine.click(`.list-row a[href*="topic/logo"]`);
    await engine.until(isAt("logo"), "the topic");
    await engine.until(stands("Which of the two"), "the message");
    await engine.until(exists(".feed .md strong"), "what is bold");
    await engine.until(
      `${exists(".feed math msqrt")}?.getBoundingClientRect().width > 0`,
      "a root",
    );
    await engine.until(`!${exists(".feed .msg[data-unread]")}`, "that it is read");
  }

  /** Writes with bold by a shortcut and a name from the list; reacts; edits. */
  async write(): Promise<void> {
    const { engine, fixture } = this;
    await engine.click(AREA);
    await engine.keys(..."@ada ad");
    await engine.until(exists("[role=option]"), "the people whom one may mean");
    await engine.keys("Enter", ..."the ", "Control+b", ..."second", "Control+Enter");
    await engine.until(stands("the second"), "what was written");
    const [, own] = await fixture.posted();
    expect(own!.content).toBe("@**Ada Admin** the **second**");

    await engine.keys("Escape");
    await engine.until(`!${isIncluded(AREA)}`, "that one is back in the feed");
    await engine.keys("End", "+");
    await engine.until(exists(".feed .react button[aria-pressed=true]"), "the reaction");
    await engine.keys("ArrowLeft");
    await engine.until(isIncluded(".edit-box textarea"), "the box to edit in");
    await engine.keys("Control+End", ..." one", "Control+Enter");
    await engine.until(stands("the second one"), "what was edited");
  }

  /** Uses the switcher and a search with a token, and goes back. */
  async find(): Promise<void> {
    const { engine } = this;
    await engine.keys("Control+k");
    await engine.until(isIncluded(".palette input"), "the switcher");
    await engine.keys(..."poster");
    const first = `${exists(".palette [role=option]")}?.textContent.includes("poster")`;
    await engine.until(first, "the topic in the switcher");
    await engine.keys("Enter");
    await engine.until(`${isAt("poster")} && ${stands("at the printer")}`, "the other topic");
    await engine.keys("/");
    await engine.until(isIncluded("input[role=combobox]"), "the field to search in");
    await engine.keys(..."channel:design second ");
    await engine.until(exists(".search-field .pill"), "a pill");
    await engine.keys("Enter");
    await engine.until(stands("the second one"), "what was found");
    await engine.evaluate("history.back()");
    await engine.until(isAt("poster"), "the topic that one came from");
  }

  /** Turns on the dark theme in the settings. */
  async settle(): Promise<void> {
    const { engine } = this;
    await engine.evaluate(`void (location.hash = "#settings/preferences")`);
    await engine.until(exists(".settings-themes label"), "the settings");
    const lightness = `(() => {
      const canvas = document.createElement("canvas").getContext("2d");
      canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
      return canvas.getImageData(0, 0, 1, 1).data[1];
    })()`;
    await engine.click(".settings-themes label:nth-of-type(2) input");
    await engine.until(`${lightness} < 60`, "the dark");
    await engine.click(".settings-themes label:nth-of-type(1) input");
    await engine.until(`${lightness} > 200`, "the light");
    await engine.keys("Escape");
  }

  /** The server stops; messages written offline survive a reload without it. */
  async loseNetwork(): Promise<void> {
    const { engine, fixture } = this;
    const { testServer } = fixture;
    await engine.evaluate(`void (location.hash = ${JSON.stringify(fixture.place.slice(1))})`);
    await engine.until(isAt("logo"), "the topic");
    await engine.until(`navigator.serviceWorker.controller`, "the worker");
    await testServer.stop();
    await engine.click(AREA);
    await engine.keys(..."Written in a tunnel", "Control+Enter");
    await engine.until(exists(".feed .msg[data-state]"), "what is not sent yet");
    await engine.evaluate("void location.reload()");
    const stored = `${WHOLE} && ${exists(".feed .msg[data-state]")}`;
    await engine.until(`${stored} && window.told === undefined`, "all of it without a server");
    await testServer.start();
    await engine.evaluate(LISTEN);
    await engine.until(stands("Written in a tunnel"), "what was written, once there is a server");
    const posted = await fixture.posted();
    expect(posted.filter(({ content }) => content === "Written in a tunnel")).toHaveLength(1);
  }

  async takePhone(): Promise<void> {
    const { engine } = this;
    await engine.size(...PHONE);
    await engine.evaluate(`void (location.hash = "#inbox")`);
    await engine.until(exists(".tabbar button, .tabbar a"), "the bar at the foot");
    await engine.until(`document.documentElement.scrollWidth <= innerWidth`, "no width to scroll");
    await engine.size(...DESK);
  }

  async end(): Promise<void> {
    const received = await this.engine.evaluate<string[]>("window.told");
    expect([...received, ...(this.engine.faults?.() ?? [])]).toEqual([]);
  }
}
