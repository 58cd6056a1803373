// Voice messages, from recording to playback, and links to calls.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { until } from "../wait-until.ts";
import { accessibilityFaults, faultsOf, applyLook, APPEARANCES } from "./axe.ts";
import { upload } from "../features/upload-fixture.ts";
import { BrowserFixture } from "./browser-fixture.ts";
import { chip } from "./composer-content.ts";

const fixture = await BrowserFixture.forTestFile();

/** The test machine has no microphone, so the page provides a tone. */
function microphone(): void {
  if (!isSecureContext) return;
  const mediaStreams: MediaStream[] = [];
  Object.assign(globalThis, { heard: mediaStreams });
  navigator.mediaDevices.getUserMedia = async () => {
    const world = new AudioContext();
    const tone = world.createOscillator();
    const stream = world.createMediaStreamDestination();
    tone.connect(stream);
    tone.start();
    mediaStreams.push(stream.stream);
    return stream.stream;
  };
}

/** The page gets the microphone when `allow` is called, as if the browser asked the user. */
const delayMicrophone = (page: Page) =>
  page.evaluate(() => {
    const { mediaDevices } = navigator;
    const listen = mediaDevices.getUserMedia;
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(globalThis, { allow: resolve });
    mediaDevices.getUserMedia = (constraints) => {
      mediaDevices.getUserMedia = listen;
      return promise.then(() => listen.call(mediaDevices, constraints));
    };
  });

const isListening = (page: Page) =>
  page.evaluate(() => {
    const { heard: mediaStreams } = globalThis as unknown as { heard: MediaStream[] };
    return mediaStreams.some((mediaStream) =>
      mediaStream.getTracks().some(({ readyState }) => readyState === "live"),
    );
  });

/** Repeats the key, because a row that is rendered again at that moment misses it. */
async function open(link: Locator, player: Locator): Promise<void> {
  while ((await player.count()) === 0) await link.press("Enter");
}

/** Returns a sound that every browser plays under any name: 8 bits, 8,000 samples per second. */
function silentAudio(seconds: number): Uint8Array<ArrayBuffer> {
  const rate = 8_000;
  const samples = Buffer.alloc(seconds * rate, 128);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples.length, 40);
  return new Uint8Array(Buffer.concat([head, samples]));
}

/** A time of at least one second; the exact number depends on the speed of the machine. */
const SECONDS = /^(?!0:00)\d+:\d\d$/;

test("records, attaches, sends and plays a voice message", async () => {
  const browserSession = await fixture.sessionOf("bo");
  await browserSession.context.addInitScript(microphone);
  const page = await browserSession.tab(fixture.topicUrl);
  const button = page.getByRole("button", { name: "Record voice message" });
  const line = page.locator(".compose .voice");
  await button.press("Enter");
  await line.getByText(SECONDS).waitFor();
  expect(await accessibilityFaults(page, ".compose")).toEqual([]);
  await applyLook(page, APPEARANCES[0]!);
  await line.getByRole("button", { name: "Discard" }).press("Enter");
  await line.waitFor({ state: "detached" });
  const text = page.locator("form textarea:enabled");
  expect(await text.inputValue()).toBe("");
  expect(await isListening(page)).toBe(false);

  await delayMicrophone(page);
  await button.press("Enter");
  await line.getByRole("button", { name: "Discard" }).press("Enter");
  await page.evaluate(() => (globalThis as unknown as { allow: () => void }).allow());
  await line.waitFor({ state: "detached" });
  expect(await isListening(page)).toBe(false);

  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill(">voice message");
  await page.getByRole("option", { name: "Record voice message" }).waitFor();
  await page.keyboard.press("Enter");
  await line.getByText(SECONDS).waitFor();
  await line.getByRole("button", { name: "Attach" }).press("Enter");
  await chip(page, "Voice message", "done")
    .getByText(/^Voice message 0\.0\d\.weba$/)
    .waitFor();
  expect(await text.inputValue()).toBe("");
  await page.locator("form [type=submit]").press("Enter");
  // A pending message is rendered again when it has arrived.
  const link = page.locator("article:not([data-state]) .md a").filter({ hasText: "Voice message" });
  const audio = page.locator("article audio").first();
  await open(link, audio);
  expect(await audio.getAttribute("aria-label")).toMatch(/^Voice message 0\.0\d\.weba$/);
  // The recording can be played.
  await audio.evaluate(
    (node: HTMLAudioElement) =>
      new Promise<void>((received, failed) => {
        const look = () => (node.readyState > 0 ? received() : undefined);
        node.addEventListener("loadedmetadata", look);
        node.addEventListener("error", () => failed(new Error("not heard")));
        look();
      }),
  );
  // The duration is known before the sound has been played to its end.
  await page.waitForFunction(() => {
    const { duration } = document.querySelector<HTMLAudioElement>("article audio")!;
    return duration > 0 && duration < 60;
  });
  expect(await isListening(page)).toBe(false);
  expect(browserSession.faults).toEqual([]);
});

test("keeps playing while its message is rendered again", async () => {
  const address = await upload(fixture.testServer, "ada", {
    name: "said.weba",
    bytes: silentAudio(1),
  });
  const { id } = await fixture.post("ada", `[said](${address})`);
  const page = await (await fixture.sessionOf("bo")).tab(fixture.topicUrl);
  const [link, audio] = [page.locator(`#m${id} .md a`), page.locator(`#m${id} audio`)];
  await open(link, audio);
  expect(await audio.getAttribute("aria-label")).toBe("said");
  await audio.evaluate((node) => node.setAttribute("data-probe", ""));
  await fixture.testServer.request("ada", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  await page.locator(`#m${id}:has(.react) audio[data-probe]`).waitFor();
  for (const variant of APPEARANCES) {
    await applyLook(page, variant);
    expect(await faultsOf(page, undefined, `#m${id}`)).toEqual([]);
    expect((await audio.boundingBox())!.width).toBeLessThanOrEqual(variant.width);
  }
});

test("a player handles its keys, and others leave it", async () => {
  const bytes = silentAudio(60);
  const address = await upload(fixture.testServer, "ada", { name: "long.weba", bytes });
  const { id } = await fixture.post("ada", `[long](${address})`);
  const { id: next } = await fixture.post("ada", "what comes after it");
  const page = await (await fixture.sessionOf("cy")).tab(fixture.topicUrl);
  const [link, audio] = [page.locator(`#m${id} .md a`), page.locator(`#m${id} audio`)];
  await page.locator(`#m${next}`).waitFor();
  await open(link, audio);
  const player = (condition: (node: HTMLAudioElement, index: number) => boolean, position = 0) =>
    audio.evaluate(condition, position);
  const isAt = (node: Element) => node === document.activeElement;
  await until(() => player((node) => !node.paused && node.currentTime > 0));
  expect(await audio.evaluate(isAt)).toBe(true);
  await page.keyboard.press("Space");
  await until(() => player((node) => node.paused));
  const before = await audio.evaluate((node) => (node as HTMLAudioElement).currentTime);
  await page.keyboard.press("ArrowRight");
  await until(() => player((node, index) => node.currentTime > index, before));
  for (const key of ["ArrowDown", "ArrowUp", "Home"]) await page.keyboard.press(key);
  await until(() => player((node) => node.currentTime === 0));
  expect(await audio.evaluate(isAt)).toBe(true);
  await fixture.testServer.request("ada", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  await page.locator(`#m${id}:has(.react) audio:focus`).waitFor();
  await page.keyboard.press("j");
  await page.locator(`#m${next}:focus`).waitFor();
});

test("explains a denied microphone, and offers nothing without one", async () => {
  const browserSession = await fixture.sessionOf("cy");
  await browserSession.context.addInitScript(() => {
    const tried = { count: 0 };
    Object.assign(globalThis, { tried });
    const refuse = () => {
      tried.count += 1;
      return Promise.reject(new DOMException("no", "NotAllowedError"));
    };
    navigator.mediaDevices.getUserMedia = refuse;
  });
  const page = await browserSession.tab(fixture.topicUrl);
  await page.getByRole("button", { name: "Record voice message" }).press("Enter");
  await page.getByRole("alert").getByText("Allow it in the browser").waitFor();
  expect(await page.locator(".compose .voice").count()).toBe(0);
  // On a phone the button is in the menu behind the plus.
  await applyLook(page, APPEARANCES[3]!);
  await page.getByRole("button", { name: "More tools" }).press("Enter");
  await page.getByRole("menuitem", { name: "Record voice message" }).press("Enter");
  await page.waitForFunction(
    () => (globalThis as unknown as { tried: { count: number } }).tried.count === 2,
  );
  const policy = (await page.request.get("/")).headers()["permissions-policy"];
  expect(policy).toContain("microphone=(self)");
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, "MediaRecorder"));
  await page.reload();
  await page.locator(".compose-tools").waitFor();
  expect(await page.getByRole("button", { name: "Record voice message" }).count()).toBe(0);
});

const holdsLink = (page: Page) =>
  page.waitForFunction(() =>
    document.querySelector<HTMLTextAreaElement>(".compose textarea")!.value.includes("#"),
  );

test("a call is a link to a new room of the call provider", async () => {
  // Remaining text becomes a draft, which no other test may find.
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  const text = page.locator("form textarea:enabled");
  await text.fill("Let us talk:");
  const button = page.getByRole("button", { name: "Add a call" });
  // A new organization has no provider.
  expect(await button.count()).toBe(0);
  await fixture.testServer.request("ada", "PATCH /realm", { video_chat_provider: 1 });
  await button.press("Enter");
  await page.getByRole("menuitem", { name: "Video call" }).press("Enter");
  await holdsLink(page);
  const written = await text.inputValue();
  const [, message, room] = /^(.*)\(https:\/\/meet\.jit\.si\/(\w{20})#\S+=false\)$/.exec(written)!;
  expect(message).toBe("Let us talk: [Join the video call]");
  await page.keyboard.press("Control+Enter");
  await fixture.untilPosted(page, written);
  const link = page.locator("article .md a", { hasText: "Join the video call" });
  expect(await link.getAttribute("target")).toBe("_blank");

  // Checks another server of the same provider, and the command in the palette.
  const jitsi_server_url = JSON.stringify("https://calls.example/");
  await fixture.testServer.request("ada", "PATCH /realm", {
    jitsi_server_url,
    video_chat_provider: 0,
  });
  await button.waitFor({ state: "detached" });
  await fixture.testServer.request("ada", "PATCH /realm", { video_chat_provider: 1 });
  await button.waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill(">voice call");
  await page.getByRole("option", { name: "Voice call" }).waitFor();
  await page.keyboard.press("Enter");
  await holdsLink(page);
  const voice = /^\[Join the voice call\]\(https:\/\/calls\.example\/(\w{20})#\S+=true\)$/;
  expect((await text.inputValue()).trim()).toMatch(voice);
  expect(await text.inputValue()).not.toContain(room!);

  await fixture.testServer.request("ada", "PATCH /realm", { video_chat_provider: 0 });
  await button.waitFor({ state: "detached" });
  expect(browserSession.faults).toEqual([]);
});
