// The image viewer by touch: swipe, dismiss, pinch, pan and double tap.
import { expect, test } from "bun:test";
import type { CDPSession, Page } from "playwright-core";
import { until } from "../wait-until.ts";
import { striped, upload } from "../features/upload-fixture.ts";
import { BrowserSession } from "./browser-session.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

type Point = readonly [x: number, y: number];
const MIDDLE: Point = [180, 370];
const MOVES = 6;

/** Moves fingers slowly, because the browser continues the movement of a fast swipe. */
class TouchGesture {
  private seconds = Date.now() / 1000;

  private constructor(private readonly session: CDPSession) {}

  static async on(page: Page): Promise<TouchGesture> {
    return new TouchGesture(await page.context().newCDPSession(page));
  }

  async tap(...points: Point[]): Promise<void> {
    this.seconds += 1;
    for (const point of points) {
      await this.touch("touchStart", [point], 0.05);
      await this.touch("touchEnd", [], 0.05);
    }
  }

  /** Moves each finger from one point to another, all at the same time. */
  async move(...methods: (readonly [Point, Point])[]): Promise<void> {
    const pointsAt = (fraction: number) =>
      methods.map(([[x, y], [toX, toY]]): Point => [
        x + (toX - x) * fraction,
        y + (toY - y) * fraction,
      ]);
    await this.touch("touchStart", pointsAt(0));
    for (let step = 1; step <= MOVES; step++) await this.touch("touchMove", pointsAt(step / MOVES));
    await this.touch("touchEnd", [], 0.5);
  }

  private touch(type: "touchStart" | "touchMove" | "touchEnd", points: Point[], after = 0.1) {
    this.seconds += after;
    const touchPoints = points.map(([x, y], id) => ({ x, y, id }));
    const event = { type, touchPoints, timestamp: this.seconds };
    return this.session.send("Input.dispatchTouchEvent", event);
  }
}

const horizontalStroke = (distance: number): readonly [Point, Point] => [
  MIDDLE,
  [MIDDLE[0] + distance, MIDDLE[1] + 2],
];

test("swipes, closes and limits the position of a picture", async () => {
  const names = ["first", "second", "third"];
  for (const name of names) {
    const path = await upload(fixture.testServer, "ada", {
      name: `${name}.png`,
      bytes: striped(400, 300),
    });
    await fixture.post("ada", `[${name}](${path})`);
  }
  const browserSession = await BrowserSession.forPhone(fixture.testServer, "bo");
  const page = await browserSession.tab(fixture.topicUrl);
  const fingers = await TouchGesture.on(page);
  const lightboxNamed = (name: string) => page.locator(`.lightbox[aria-label="${name}"]`);
  const picture = page.locator(".lightbox figure img");
  const isLoaded = (node: Element) => (node as HTMLImageElement).naturalWidth > 0;
  const waitForPicture = async (name: string) => {
    await lightboxNamed(name).waitFor();
    await until(() => picture.evaluate(isLoaded));
  };
  const open = async () => {
    const row = page.locator("article").filter({ hasText: "third" }).last();
    await row.locator(".shot img").waitFor();
    await row.focus();
    await page.keyboard.press("v");
    await waitForPicture("third");
  };
  await open();
  await fingers.move(horizontalStroke(150));
  await waitForPicture("second");
  await fingers.move(horizontalStroke(-150));
  await waitForPicture("third");
  await fingers.move([MIDDLE, [185, 600]]);
  await page.locator(".lightbox").waitFor({ state: "detached" });

  await open();
  const [left, right]: [Point, Point] = [
    [150, 370],
    [210, 370],
  ];
  await fingers.move([left, [60, 370]], [right, [300, 370]]);
  await page.locator(".lightbox figure[data-zoomed]").waitFor();
  for (const distance of [1500, -1500]) {
    await fingers.move([MIDDLE, [MIDDLE[0] + distance, MIDDLE[1] + distance]]);
    const { x, width } = (await picture.boundingBox())!;
    expect([x <= 1, x + width >= 359]).toEqual([true, true]);
  }
  // While zoomed in, a swipe down does not close the viewer, and a pinch changes no picture.
  await fingers.move([MIDDLE, [185, 600]]);
  await fingers.move([[30, 370], left], [[330, 370], right]);
  await fingers.move([[30, 370], left], [[330, 370], right]);
  await page.locator(".lightbox figure:not([data-zoomed])").waitFor();
  await lightboxNamed("third").waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("a double tap zooms in and out", async () => {
  const path = await upload(fixture.testServer, "cy", {
    name: "twice.png",
    bytes: striped(400, 300),
  });
  const to = {
    type: "channel",
    to: fixture.stream_id,
    topic: "twice",
    content: `[twice](${path})`,
  };
  await fixture.testServer.request("cy", "POST /messages", to);
  const browserSession = await BrowserSession.forPhone(fixture.testServer, "cy");
  const page = await browserSession.tab(`/#narrow/channel/${fixture.stream_id}-design/topic/twice`);
  await page.locator(".shot img").waitFor();
  await page.locator("article").last().focus();
  await page.keyboard.press("v");
  const picture = page.locator(".lightbox figure img");
  await picture.waitFor();
  const fingers = await TouchGesture.on(page);
  const presses = () => page.evaluate(() => (globalThis as { presses?: number }).presses ?? 0);
  await page.evaluate(() => {
    const counter = globalThis as { presses?: number };
    addEventListener("click", () => (counter.presses = (counter.presses ?? 0) + 1));
  });
  for (const [count, selector] of [
    [2, "figure[data-zoomed]"],
    [4, "figure:not([data-zoomed])"],
  ] as const) {
    await fingers.tap(MIDDLE, MIDDLE);
    await until(async () => (await presses()) >= count);
    await page.locator(`.lightbox ${selector}`).waitFor();
  }
});
