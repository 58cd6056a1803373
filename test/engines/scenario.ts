// The scenario: what a user typically does in a day, run in every supported browser besides
// Chromium.
import { expect } from "bun:test";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { PASSWORD } from "../browser.ts";
import { emailOf } from "../users.ts";
import { BrowserFixture } from "../web/browser-fixture.ts";
import type { Engine } from "./engine.ts";

const DESKTOP_SIZE = [1360, 860] as const;
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
const isMessageShown = (text: string) =>
  `[...document.querySelectorAll(".feed .msg:not([data-state])")]
    .some((row) => row.textContent.includes(${JSON.stringify(text)}))`;
const isAtHeading = (name: string) =>
  `document.querySelector("main h1")?.textContent.includes(${JSON.stringify(name)})`;
const selectorExpression = (selector: string) =>
  `document.querySelector(${JSON.stringify(selector)})`;
const IS_COMPLETE = `document.body.dataset.whole !== undefined`;
const AREA = ".compose textarea";
const isIncluded = (selector: string) =>
  `document.activeElement.matches(${JSON.stringify(selector)})`;

/** Runs the scenario as Bo, on a separate test server. */
export async function runScenario(engine: Engine): Promise<void> {
  const fixture = await BrowserFixture.open();
  try {
    const day = new ScenarioDay(engine, fixture);
    await day.openBrowser();
    await day.signIn();
    await day.read();
    await day.write();
    await day.find();
    await day.settle();
    await day.loseNetwork();
    await day.switchToPhone();
    await day.end();
  } finally {
    await fixture.close();
  }
}

class ScenarioDay {
  constructor(
    private readonly engine: Engine,
    private readonly fixture: BrowserFixture,
  ) {}

  async openBrowser(): Promise<void> {
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
    await engine.resize(...DESKTOP_SIZE);
    await engine.navigate(`${fixture.testServer.url}/`);
    const isForm = `location.pathname === "/login/" && document.readyState === "complete"`;
    await engine.until(isForm, "the way to sign in");
    await engine.click("input[name=username]");
    await engine.pressKeys(...emailOf("bo"));
    await engine.click("input[name=password]");
    await engine.pressKeys(...PASSWORD, "Enter");
    await engine.until(`${isAtHeading("Inbox")} && ${IS_COMPLETE}`, "the inbox");
    await engine.evaluate(LISTEN);
  }

  /** Opens a topic from the inbox; its message is displayed as the server renders it. */
  async read(): Promise<void> {
    const { engine } = this;
    await engine.until(`document.querySelectorAll(".list-row").length === 2`, "two topics unread");
    await engine.click(`.list-row a[href*="topic/logo"]`);
    await engine.until(isAtHeading("logo"), "the topic");
    await engine.until(isMessageShown("Which of the two"), "the message");
    await engine.until(selectorExpression(".feed .md strong"), "what is bold");
    await engine.until(
      `${selectorExpression(".feed math msqrt")}?.getBoundingClientRect().width > 0`,
      "a root",
    );
    await engine.until(`!${selectorExpression(".feed .msg[data-unread]")}`, "that it is read");
  }

  /** Writes with bold by a shortcut and a name from the list; reacts; edits. */
  async write(): Promise<void> {
    const { engine, fixture } = this;
    await engine.click(AREA);
    await engine.pressKeys(..."@ada ad");
    await engine.until(selectorExpression("[role=option]"), "the people whom one may mean");
    await engine.pressKeys("Enter", ..."the ", "Control+b", ..."second", "Control+Enter");
    await engine.until(isMessageShown("the second"), "what was written");
    const [, own] = await fixture.listPosted();
    expect(own!.content).toBe("@**Ada Admin** the **second**");

    await engine.pressKeys("Escape");
    await engine.until(`!${isIncluded(AREA)}`, "that one is back in the feed");
    await engine.pressKeys("End", "+");
    await engine.until(
      selectorExpression(".feed .react button[aria-pressed=true]"),
      "the reaction",
    );
    await engine.pressKeys("ArrowLeft");
    await engine.until(isIncluded(".edit-box textarea"), "the box to edit in");
    await engine.pressKeys("Control+End", ..." one", "Control+Enter");
    await engine.until(isMessageShown("the second one"), "what was edited");
  }

  /** Uses the switcher and a search with a token, and goes back. */
  async find(): Promise<void> {
    const { engine } = this;
    await engine.pressKeys("Control+k");
    await engine.until(isIncluded(".palette input"), "the switcher");
    await engine.pressKeys(..."poster");
    const first = `${selectorExpression(".palette [role=option]")}?.textContent.includes("poster")`;
    await engine.until(first, "the topic in the switcher");
    await engine.pressKeys("Enter");
    await engine.until(
      `${isAtHeading("poster")} && ${isMessageShown("at the printer")}`,
      "the other topic",
    );
    await engine.pressKeys("/");
    await engine.until(isIncluded("input[role=combobox]"), "the field to search in");
    await engine.pressKeys(..."channel:design second ");
    await engine.until(selectorExpression(".search-field .pill"), "a pill");
    await engine.pressKeys("Enter");
    await engine.until(isMessageShown("the second one"), "what was found");
    await engine.evaluate("history.back()");
    await engine.until(isAtHeading("poster"), "the topic that one came from");
  }

  /** Turns on the dark theme in the settings. */
  async settle(): Promise<void> {
    const { engine } = this;
    await engine.evaluate(`void (location.hash = "#settings/preferences")`);
    await engine.until(selectorExpression(".settings-themes label"), "the settings");
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
    await engine.pressKeys("Escape");
  }

  /** The server stops; messages written offline survive a reload without it. */
  async loseNetwork(): Promise<void> {
    const { engine, fixture } = this;
    const { testServer } = fixture;
    await engine.evaluate(`void (location.hash = ${JSON.stringify(fixture.topicUrl.slice(1))})`);
    await engine.until(isAtHeading("logo"), "the topic");
    await engine.until(`navigator.serviceWorker.controller`, "the worker");
    await testServer.stop();
    await engine.click(AREA);
    await engine.pressKeys(..."Written in a tunnel", "Control+Enter");
    await engine.until(selectorExpression(".feed .msg[data-state]"), "what is not sent yet");
    await engine.evaluate("void location.reload()");
    const storedSelector = `${IS_COMPLETE} && ${selectorExpression(".feed .msg[data-state]")}`;
    await engine.until(
      `${storedSelector} && window.told === undefined`,
      "all of it without a server",
    );
    await testServer.start();
    await engine.evaluate(LISTEN);
    await engine.until(
      isMessageShown("Written in a tunnel"),
      "what was written, once there is a server",
    );
    const posted = await fixture.listPosted();
    expect(posted.filter(({ content }) => content === "Written in a tunnel")).toHaveLength(1);
  }

  async switchToPhone(): Promise<void> {
    const { engine } = this;
    await engine.resize(...PHONE);
    await engine.evaluate(`void (location.hash = "#inbox")`);
    await engine.until(selectorExpression(".tabbar button, .tabbar a"), "the bar at the foot");
    await engine.until(`document.documentElement.scrollWidth <= innerWidth`, "no width to scroll");
    await engine.resize(...DESKTOP_SIZE);
  }

  async end(): Promise<void> {
    const received = await this.engine.evaluate<string[]>("window.told");
    expect([...received, ...(this.engine.faults?.() ?? [])]).toEqual([]);
  }
}
