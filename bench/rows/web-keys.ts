// Cost of a key press in the composer, switcher and mention, while messages arrive.
import type { CDPSession, Page } from "playwright-core";
import { median } from "../ratio.ts";
import { type Line, lineWithin } from "../row.ts";
import type { Plan, Datasets } from "../datasets.ts";
import { withReference, quantile } from "../web/reference.ts";
import { BenchBrowser, type PageTools } from "../web/bench-browser.ts";

const SMALL: Plan = { people: 100, channels: 2, subscribers: 100, messages: 5_000 };
const LARGE_PLAN: Plan = { people: 10_000, channels: 500, subscribers: 10, messages: 20_000 };
const DRAFT_LENGTH = 8_000;
const TYPINGS = 5;
const OWN_MESSAGES = 10;
const FIND_RUNS = 7;
const MESSAGES_PER_SECOND = 50;

/**
 * Keys in a long draft while others send messages, and displaying the user's own message after
 * Enter.
 */
export async function webTyping(datasets: Datasets): Promise<Line[]> {
  await using benchBrowser = await BenchBrowser.open(await datasets.createCopy(SMALL));
  const pairs: Pair[] = [];
  const own: number[] = [];
  // Each in a new topic, because each run leaves messages on the page.
  for (let round = 0; round <= TYPINGS; round++) {
    const page = await benchBrowser.page(benchBrowser.topic(round));
    const pair = await typeInTopic(benchBrowser, page, round);
    const frames: number[] = [];
    for (let index = 0; index < OWN_MESSAGES; index++) {
      const text = `Mine ${round} ${index}`;
      await page.locator("form textarea:enabled").first().fill(text);
      frames.push(await ownFrames(page, text));
    }
    await page.context().close();
    if (round === 0) continue;
    pairs.push(pair);
    own.push(...frames);
  }
  const among = "8 KB of draft, 50 messages a second";
  const frames = "client: frames from Enter to one's own message in the page";
  return [
    ...lines("client: key to paint in", 16, pairs, { among, part: 0.98 }),
    lineWithin({ label: frames, goal: 1, unit: "frames" }, median(own), own),
  ];
}

async function typeInTopic(benchBrowser: BenchBrowser, page: Page, topic: number): Promise<Pair> {
  const box = page.locator("form textarea:enabled").first();
  // The composer appears after the messages; the static page has one too.
  await box.waitFor();
  const staticPage = await benchBrowser.reference(page);
  const draft = "word ".repeat(DRAFT_LENGTH / 5);
  await page.bringToFront();
  await box.fill(draft);
  const stop = benchBrowser.postRegularly(MESSAGES_PER_SECOND, topic);
  const candidate = await pressKeys(page, "form textarea");
  await stop();
  await makeWritable(staticPage, draft);
  const baseline = await pressKeys(staticPage, "form textarea");
  await staticPage.context().close();
  return { candidate, baseline };
}

/** Waits until everything that loads after the first view is there. */
async function untilSettled(page: Page): Promise<void> {
  await page.locator("body[data-whole]").waitFor({ state: "attached" });
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => resolve(null))));
}

/** The static page's composer accepts input but runs no code. */
const makeWritable = (staticPage: Page, text: string): Promise<void> =>
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
interface KeyPress {
  durationMs: number;
  cpu: number;
}

/** The cost of each key, pressed after the previous one was painted. */
async function pressKeys(page: Page, selector: string, text = CHARACTERS): Promise<KeyPress[]> {
  await page.locator(selector).first().focus();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const nextFrame = () => page.evaluate(() => (window as unknown as PageTools).nextPaint());
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
        tools.measured = tools.nextPaint().then((end) => end - timeStamp);
      },
      { capture: true, signal },
    );
  });
  const keyPress: KeyPress[] = [];
  for (const character of text) {
    const startedAt = await threadTime(session);
    await nextFrame();
    const empty = await threadTime(session);
    await page.keyboard.press(character === " " ? "Space" : character);
    const duration = await page.evaluate(
      () => (window as unknown as { measured: number }).measured,
    );
    await nextFrame();
    keyPress.push({
      durationMs: duration,
      cpu: (await threadTime(session)) - empty - (empty - startedAt),
    });
  }
  await session.detach();
  return keyPress;
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
      const keyPress = new AbortController();
      addEventListener(
        "keydown",
        (event) => {
          if ((event as KeyboardEvent).key !== "Enter") return;
          keyPress.abort();
          let count = 0;
          const checkRows = () => {
            count += 1;
            const rows = [...document.querySelectorAll(".msg")].slice(-5);
            if (rows.some((row) => row.textContent?.includes(expected))) done(count);
            else requestAnimationFrame(checkRows);
          };
          requestAnimationFrame(checkRows);
        },
        { signal: keyPress.signal, capture: true },
      );
    });
  }, text);
  await page.locator("form textarea:enabled").first().press("Control+Enter");
  return page.evaluate(() => (window as unknown as { frames: Promise<number> }).frames);
}

/** Keys in the switcher and in a mention, with 10,000 users and 5,000 topics. */
export async function webFind(datasets: Datasets): Promise<Line[]> {
  await using benchBrowser = await BenchBrowser.open(await datasets.createCopy(LARGE_PLAN));
  const inSwitcher: Pair[] = [];
  const inMention: Pair[] = [];
  // On a new page, because the cost of loading with the first key counts.
  for (let round = 0; round <= FIND_RUNS; round++) {
    const page = await benchBrowser.page(benchBrowser.topic(1));
    const box = "form textarea:enabled";
    await page.locator(box).first().waitFor();
    const reference = await benchBrowser.reference(page);
    const keyPress = await pressKeys(reference, "body");
    await makeWritable(reference, "");
    // A browser's first frames while typing are slow on every page.
    const typed = await pressKeys(reference, "form textarea", MENTIONS);
    await reference.context().close();
    await page.bringToFront();
    await untilSettled(page);
    await page.keyboard.press("Control+k");
    const field = "[role=dialog] input, .palette input";
    await page.locator(field).first().waitFor();
    const palette = await pressKeys(page, field, "topic 3 bench person 42 general");
    await page.keyboard.press("Escape");
    const mention = await pressKeys(page, box, MENTIONS);
    await page.context().close();
    if (round === 0) continue;
    inSwitcher.push({ candidate: palette, baseline: keyPress });
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
  candidate: KeyPress[];
  baseline: KeyPress[];
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
  pairs: readonly Pair[],
  { among, part }: KeyMeasurement,
): Line[] {
  const lineFor = (by: string, of: (keyPress: KeyPress) => number) => {
    const quantileOf = (keys: readonly KeyPress[]) => quantile(keys.map(of), part);
    const reference = median(pairs.map(({ baseline }) => quantileOf(baseline)));
    const beyond = pairs.map(({ candidate }) => quantileOf(candidate) - reference);
    const received = `${label} ${among}${by}, p${part * 100} beyond static HTML`;
    const expected = lineWithin(
      { label: received, goal: target, unit: "ms" },
      median(beyond),
      beyond,
    );
    return withReference(expected, reference, "ms");
  };
  return [lineFor("", ({ durationMs: duration }) => duration), lineFor(", CPU", ({ cpu }) => cpu)];
}
