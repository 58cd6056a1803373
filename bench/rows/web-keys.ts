// Cost of a key press in the composer, switcher and mention, while messages arrive.
import type { CDPSession, Page } from "playwright-core";
import { median } from "../ratio.ts";
import { type Line, within } from "../row.ts";
import type { Plan, Datasets } from "../datasets.ts";
import { withReference, quantile } from "../web/reference.ts";
import { BenchBrowser, type PageTools } from "../web/bench-browser.ts";

const SMALL: Plan = { people: 100, channels: 2, subscribers: 100, messages: 5_000 };
const GREAT: Plan = { people: 10_000, channels: 500, subscribers: 10, messages: 20_000 };
const DRAFT_LENGTH = 8_000;
const TYPINGS = 5;
const OWN_MESSAGES = 10;
const FINDS = 7;
const MESSAGES_PER_SECOND = 50;

/**
 * Keys in a long draft while others send messages, and displaying the user's own message after
 * Enter.
 */
export async function webTyping(datasets: Datasets): Promise<Line[]> {
  await using benchBrowser = await BenchBrowser.open(await datasets.copied(SMALL));
  const turns: Pair[] = [];
  const own: number[] = [];
  // Each in a new topic, because each run leaves messages on the page.
  for (let round = 0; round <= TYPINGS; round++) {
    const page = await benchBrowser.page(benchBrowser.topic(round));
    const pair = await typed(benchBrowser, page, round);
    const frames: number[] = [];
    for (let index = 0; index < OWN_MESSAGES; index++) {
      const text = `Mine ${round} ${index}`;
      await page.locator("form textarea:enabled").first().fill(text);
      frames.push(await ownFrames(page, text));
    }
    await page.context().close();
    if (round === 0) continue;
    turns.push(pair);
    own.push(...frames);
  }
  const among = "8 KB of draft, 50 messages a second";
  const frames = "client: frames from Enter to one's own message in the page";
  return [
    ...lines("client: key to paint in", 16, turns, { among, part: 0.98 }),
    within({ label: frames, goal: 1, unit: "frames" }, median(own), own),
  ];
}

async function typed(benchBrowser: BenchBrowser, page: Page, topic: number): Promise<Pair> {
  const box = page.locator("form textarea:enabled").first();
  // The composer appears after the messages; the static page has one too.
  await box.waitFor();
  const staticPage = await benchBrowser.reference(page);
  const draft = "word ".repeat(DRAFT_LENGTH / 5);
  await page.bringToFront();
  await box.fill(draft);
  const stop = benchBrowser.postRegularly(MESSAGES_PER_SECOND, topic);
  const candidate = await keys(page, "form textarea");
  await stop();
  await writable(staticPage, draft);
  const baseline = await keys(staticPage, "form textarea");
  await staticPage.context().close();
  return { candidate, baseline };
}

/** Waits until everything that loads after the first view is there. */
async function settled(page: Page): Promise<void> {
  await page.locator("body[data-whole]").waitFor({ state: "attached" });
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => resolve(null))));
}

/** The static page's composer accepts input but runs no code. */
const writable = (staticPage: Page, text: string): Promise<void> =>
  staticPage
    .locator("form textarea")
    .first()
    .evaluate((node: HTMLTextAreaElement, value) => {
      node.disabled = false;
      node.value = value;
    }, text);

const CHARACTERS = "a".repeat(100);
const MENTIONS = "hello @person 421 and @ben";

/** In milliseconds: from the key to its paint, and CPU time of the page's main thread. */
interface Pressed {
  took: number;
  cpu: number;
}

/** The cost of each key, pressed after the previous one was painted. */
async function keys(page: Page, selector: string, text = CHARACTERS): Promise<Pressed[]> {
  await page.locator(selector).first().focus();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const frame = () => page.evaluate(() => (window as unknown as PageTools).painted());
  await page.evaluate(() => {
    const tools = window as unknown as PageTools & {
      measured: Promise<number>;
      listening?: AbortController;
    };
    tools.listening?.abort();
    const { signal } = (tools.listening = new AbortController());
    addEventListener(
      "keydown",
      ({ timeStamp }) => {
        tools.measured = tools.painted().then((end) => end - timeStamp);
      },
      { capture: true, signal },
    );
  });
  const pressed: Pressed[] = [];
  for (const character of text) {
    const startedAt = await threadTime(session);
    await frame();
    const empty = await threadTime(session);
    await page.keyboard.press(character === " " ? "Space" : character);
    const duration = await page.evaluate(
      () => (window as unknown as { measured: number }).measured,
    );
    await frame();
    pressed.push({
      took: duration,
      cpu: (await threadTime(session)) - empty - (empty - startedAt),
    });
  }
  await session.detach();
  return pressed;
}

async function threadTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")!.value * 1000;
}

/** Frames between the key press and the row's display, and the frame that displays it. */
async function ownFrames(page: Page, text: string): Promise<number> {
  await page.evaluate((expected) => {
    const tools = window as unknown as { frames: Promise<number> };
    tools.frames = new Promise((done) => {
      // Shift is pressed before and may cause a frame of its own.
      const pressed = new AbortController();
      addEventListener(
        "keydown",
        (event) => {
          if ((event as KeyboardEvent).key !== "Enter") return;
          pressed.abort();
          let count = 0;
          const look = () => {
            count += 1;
            const rows = [...document.querySelectorAll(".msg")].slice(-5);
            if (rows.some((row) => row.textContent?.includes(expected))) done(count);
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        },
        { signal: pressed.signal, capture: true },
      );
    });
  }, text);
  await page.locator("form textarea:enabled").first().press("Control+Enter");
  return page.evaluate(() => (window as unknown as { frames: Promise<number> }).frames);
}

/** Keys in the switcher and in a mention, with 10,000 users and 5,000 topics. */
export async function webFind(datasets: Datasets): Promise<Line[]> {
  await using benchBrowser = await BenchBrowser.open(await datasets.copied(GREAT));
  const inSwitcher: Pair[] = [];
  const inMention: Pair[] = [];
  // On a new page, because the cost of loading with the first key counts.
  for (let round = 0; round <= FINDS; round++) {
    const page = await benchBrowser.page(benchBrowser.topic(1));
    const box = "form textarea:enabled";
    await page.locator(box).first().waitFor();
    const reference = await benchBrowser.reference(page);
    const pressed = await keys(reference, "body");
    await writable(reference, "");
    // A browser's first frames while typing are slow on every page.
    const typed = await keys(reference, "form textarea", MENTIONS);
    await reference.context().close();
    await page.bringToFront();
    await settled(page);
    await page.keyboard.press("Control+k");
    const field = "[role=dialog] input, .palette input";
    await page.locator(field).first().waitFor();
    const palette = await keys(page, field, "topic 3 bench person 42 general");
    await page.keyboard.press("Escape");
    const mention = await keys(page, box, MENTIONS);
    await page.context().close();
    if (round === 0) continue;
    inSwitcher.push({ candidate: palette, baseline: pressed });
    inMention.push({ candidate: mention, baseline: typed });
  }
  const among = "10,000 people, 5,000 topics";
  return [
    ...lines("client: a key in the switcher,", 16, inSwitcher, { among, part: 0.95 }),
    ...lines("client: a key in a mention,", 30, inMention, { among, part: 0.95 }),
  ];
}

/** The key presses of a run in Skein, and of the same run in static HTML. */
interface Pair {
  candidate: Pressed[];
  baseline: Pressed[];
}

/** A percentile of the keys. */
interface KeyMeasurement {
  among: string;
  part: number;
}

/** Measured by wall clock, which varies on a busy machine, and by CPU time. */
function lines(
  label: string,
  target: number,
  turns: readonly Pair[],
  { among, part }: KeyMeasurement,
): Line[] {
  const line = (by: string, of: (pressed: Pressed) => number) => {
    const most = (keys: readonly Pressed[]) => quantile(keys.map(of), part);
    const reference = median(turns.map(({ baseline }) => most(baseline)));
    const beyond = turns.map(({ candidate }) => most(candidate) - reference);
    const received = `${label} ${among}${by}, p${part * 100} beyond still HTML`;
    const expected = within({ label: received, goal: target, unit: "ms" }, median(beyond), beyond);
    return withReference(expected, reference, "ms");
  };
  return [line("", ({ took: duration }) => duration), line(", CPU", ({ cpu }) => cpu)];
}
