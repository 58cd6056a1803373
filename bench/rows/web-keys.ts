// What a key costs in the client: in the composer, the switcher and a mention, while others write.
import type { Page } from "playwright-core";
import { median } from "../ratio.ts";
import { type Line, within } from "../row.ts";
import type { Plan, Towns } from "../towns.ts";
import { beside, quantile } from "../web/beside.ts";
import { Stand, type Tools } from "../web/stand.ts";

const SMALL: Plan = { people: 100, channels: 2, subscribers: 100, messages: 5_000 };
const GREAT: Plan = { people: 10_000, channels: 500, subscribers: 10, messages: 20_000 };
const DRAFT_LENGTH = 8_000;
const MESSAGES_PER_SECOND = 50;

/** Keys in a long draft while others write, and the own message after Enter. */
export async function webTyping(towns: Towns): Promise<Line[]> {
  await using stand = await Stand.open(await towns.copied(SMALL));
  const page = await stand.page(stand.topic(1));
  const box = page.locator("form textarea:enabled").first();
  // The composer comes after the messages, and the still page has one too.
  await box.waitFor();
  const still = await stand.reference(page);
  await box.fill("word ".repeat(DRAFT_LENGTH / 5));
  const stop = stand.chatter(MESSAGES_PER_SECOND, 1);
  const took = await keys(page, "form textarea");
  await stop();
  await still
    .locator("form textarea")
    .first()
    .evaluate((node: HTMLTextAreaElement) => {
      node.disabled = false;
      node.value = "word ".repeat(1600);
    });
  const reference = quantile(await keys(still, "form textarea"), 0.98);
  const own: number[] = [];
  for (let at = 0; at < 10; at++) {
    await box.fill(`Mine ${at}`);
    own.push(await ownFrames(page, `Mine ${at}`));
  }
  const unit = "ms";
  const what = "client: key to paint in 8 KB of draft, 50 messages a second, p98 beyond still HTML";
  const beyond = quantile(took, 0.98) - reference;
  const all = took.map((one) => one - reference);
  const frames = "client: frames from Enter to one's own message in the page";
  return [
    beside(within({ what, goal: 16, unit }, beyond, all), reference, unit),
    within({ what: frames, goal: 1, unit: "frames" }, median(own), own),
  ];
}

const LETTERS = "a".repeat(100);

/** What each key took until it was painted. */
async function keys(page: Page, selector: string, text = LETTERS): Promise<number[]> {
  await page.locator(selector).first().focus();
  await page.evaluate(() => {
    const tools = window as unknown as Tools & { took: number[]; listening?: AbortController };
    tools.took = [];
    tools.listening?.abort();
    const { signal } = (tools.listening = new AbortController());
    addEventListener(
      "keydown",
      ({ timeStamp }) => void tools.painted().then((end) => tools.took.push(end - timeStamp)),
      { capture: true, signal },
    );
  });
  for (const sign of text) await page.keyboard.press(sign === " " ? "Space" : sign);
  return page.evaluate(() => (window as unknown as { took: number[] }).took);
}

/** Frames that began after the key press and did not have the row yet, and the one that has it. */
async function ownFrames(page: Page, text: string): Promise<number> {
  await page.evaluate((wanted) => {
    const tools = window as unknown as { frames: Promise<number> };
    tools.frames = new Promise((done) => {
      // The key beside it is pressed before, and may have a frame of its own.
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
            if (rows.some((row) => row.textContent?.includes(wanted))) done(count);
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

/** Each key in the switcher and in a mention, among ten thousand people and 5,000 topics. */
export async function webFind(towns: Towns): Promise<Line[]> {
  await using stand = await Stand.open(await towns.copied(GREAT));
  const page = await stand.page(stand.topic(1));
  const still = await stand.reference(page);
  const reference = quantile(await keys(still, "body"), 0.95);
  await page.keyboard.press("Control+k");
  const field = "[role=dialog] input, .palette input";
  await page.locator(field).first().waitFor();
  const palette = await keys(page, field, "topic 3 bench person 42 general");
  await page.keyboard.press("Escape");
  const mention = await keys(page, "form textarea:enabled", "hello @person 421 and @ben");
  const among = "10,000 people, 5,000 topics, p95 beyond still HTML";
  const line = (what: string, goal: number, took: readonly number[]) => {
    const all = took.map((one) => one - reference);
    const told = within({ what, goal, unit: "ms" }, quantile(all, 0.95), all);
    return beside(told, reference, "ms");
  };
  return [
    line(`client: a key in the switcher, ${among}`, 16, palette),
    line(`client: a key in a mention, ${among}`, 30, mention),
  ];
}
