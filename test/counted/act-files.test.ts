// Limits how many files of the client an action executes, from the key press to the change of the
// page.
import { expect, test } from "bun:test";
import type { CDPSession, Page } from "playwright-core";
import { buildClient } from "../../src/assets/build.ts";
import { until, withTimeout } from "../wait-until.ts";
import { BrowserFixture, waitForConnection } from "../web/browser-fixture.ts";
import {
  type ScriptCoverage,
  executedSections,
  type ScriptSection,
  sectionsAt,
  sectionsOf,
} from "../web/sections.ts";

interface Counts {
  /** Number of files of which at least one function runs. */
  readonly executed: number;
  /**
   * Number of files on the call stack of the change, including callers across promises and timers.
   * A developer reads these files to understand the action.
   */
  readonly walked: number;
}

/**
 * Lower a number when an action uses fewer files. `executed` may exceed the current count by a
 * fifth, since timers vary.
 */
const FILES_MAX: Readonly<Record<string, Counts>> = {
  "type and send": { executed: 100, walked: 12 },
  "receive an event": { executed: 70, walked: 8 },
  react: { executed: 72, walked: 12 },
  edit: { executed: 115, walked: 10 },
  "open a topic": { executed: 105, walked: 4 },
  // Preact renders this change in a later task, so none of these files is on the stack.
  "mark as read": { executed: 65, walked: 0 },
};

const RUNS = 3;
/** Texts and icons, which a developer does not need to read to understand an action. */
const NOT_COUNTED = /^src\/web\/(words\/|ui\/icon\.tsx|content\/icon-names\.ts)/;
/** Maximum number of promises and timers between the key press and the change. */
const ASYNC_STACKS_MAX = 100;

const fixture = await BrowserFixture.forTestFile();

/** A page with a debugger, and a map from its functions to their source files. */
interface TracedPage {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly sections: ReadonlyMap<string, readonly ScriptSection[]>;
  /** URLs of scripts by the debugger's ids. */
  readonly urls: ReadonlyMap<string, string>;
}

async function openTraced(): Promise<TracedPage> {
  const files = new Map((await buildClient({ minify: false })).map((file) => [file.path, file]));
  const { context } = await fixture.sessionOf("ada");
  await context.route("**/*", async (route) => {
    const file = files.get(new URL(route.request().url()).pathname);
    if (!file) return route.fallback();
    const body = Buffer.from(file.bytes);
    if (file.path !== "/") return route.fulfill({ body, contentType: file.type });
    return route.fulfill({ response: await route.fetch(), body });
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const text = new TextDecoder();
  const scripts = [...files.values()].filter(({ path }) => path.endsWith(".js"));
  const sections = new Map(
    scripts.map(({ path, bytes }) => [path, sectionsOf(text.decode(bytes))] as const),
  );
  await page.goto(fixture.topicUrl);
  await page.locator("body[data-whole]").waitFor();
  await waitForConnection(page, "live");
  await page.locator(".compose textarea").waitFor();
  await cdp.send("DOM.enable");
  await cdp.send("Profiler.enable");
  await cdp.send("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const urls = new Map<string, string>();
  cdp.on("Debugger.scriptParsed", ({ scriptId, url }) => void urls.set(scriptId, url));
  await cdp.send("Debugger.enable");
  await cdp.send("Debugger.setAsyncCallStackDepth", { maxDepth: ASYNC_STACKS_MAX });
  return { page, cdp, sections, urls };
}

interface ExecutedFiles {
  readonly executed: Set<string>;
  readonly walked: Set<string>;
}

/** The event of a paused page, as far as it is used. */
interface Paused {
  readonly callFrames: readonly {
    readonly callFrameId: string;
    readonly location: { readonly scriptId: string; readonly lineNumber: number };
  }[];
  readonly asyncStackTrace?: StackTrace;
}

interface StackTrace {
  readonly callFrames: readonly { readonly url: string; readonly lineNumber: number }[];
  readonly parent?: StackTrace;
}

/** The last input of an action. */
interface Input {
  readonly type: "keydown" | "click";
  readonly key?: string;
}

/**
 * Records the files that run between `action` and the first change in the element. A page that is
 * paused receives no input, and other changes, such as a clock in the element, pause it too. So an
 * action with an `input` is repeated until the page has received it, and only later changes count.
 */
async function filesPassedBy(
  { page, cdp, sections, urls }: TracedPage,
  action: () => Promise<unknown>,
  changes: string,
  input?: Input,
): Promise<ExecutedFiles> {
  const { root } = await cdp.send("DOM.getDocument", { depth: 0 });
  const { nodeId } = await cdp.send("DOM.querySelector", {
    nodeId: root.nodeId,
    selector: changes,
  });
  const breakpoint = { nodeId, type: "subtree-modified" } as const;
  const recorded = Promise.withResolvers<ExecutedFiles>();
  const onPaused = async ({ callFrames, asyncStackTrace }: Paused) => {
    const { callFrameId } = callFrames[0]!;
    const expression = "globalThis.hasInput";
    const { result: hasInput } = await cdp.send("Debugger.evaluateOnCallFrame", {
      callFrameId,
      expression,
    });
    if (hasInput.value !== true) return cdp.send("Debugger.resume");
    cdp.off("Debugger.paused", listener);
    const { result } = await cdp.send("Profiler.takePreciseCoverage");
    await cdp.send("DOMDebugger.removeDOMBreakpoint", breakpoint);
    await cdp.send("Debugger.resume");
    const frames = callFrames.map(({ location: { scriptId, lineNumber } }) => {
      return { url: urls.get(scriptId) ?? "", lineNumber };
    });
    for (let frame = asyncStackTrace; frame; frame = frame.parent) frames.push(...frame.callFrames);
    recorded.resolve({
      executed: filesIn(result, sections),
      walked: walkedIn(frames, sections),
    });
  };
  const listener = (event: Paused) => void onPaused(event).catch(recorded.reject);
  cdp.on("Debugger.paused", listener);
  await watchInput(page, input);
  await cdp.send("DOMDebugger.setDOMBreakpoint", breakpoint);
  await cdp.send("Profiler.takePreciseCoverage");
  do await action();
  while (!(await page.evaluate(() => (globalThis as { hasInput?: boolean }).hasInput)));
  return withTimeout(recorded.promise, `a change of ${changes}`);
}

/** Sets `hasInput` when the page receives the input; at once if there is none to wait for. */
const watchInput = (page: Page, input: Input | undefined) =>
  page.evaluate((awaited) => {
    const state = globalThis as { hasInput?: boolean };
    state.hasInput = awaited === undefined;
    if (awaited === undefined) return;
    const onInput = (event: Event) => {
      if (awaited.key !== undefined && (event as KeyboardEvent).key !== awaited.key) return;
      state.hasInput = true;
      removeEventListener(awaited.type, onInput, true);
    };
    addEventListener(awaited.type, onInput, true);
  }, input);

const isCounted = (path: string) => path.startsWith("src/web/") && !NOT_COUNTED.test(path);

function filesIn(
  covered: readonly ScriptCoverage[],
  sections: TracedPage["sections"],
): Set<string> {
  return new Set(Object.keys(executedSections(covered, sections)).filter(isCounted));
}

function walkedIn(
  frames: readonly { url: string; lineNumber: number }[],
  sections: TracedPage["sections"],
): Set<string> {
  const files = frames.flatMap(({ url, lineNumber }) => {
    return sectionsAt(url, sections).findLast(({ line }) => line <= lineNumber)?.path ?? [];
  });
  return new Set(files.filter(isCounted));
}

const post = (name: "ada" | "bo", topic: string, content: string) => {
  const to = { type: "channel", to: fixture.stream_id, topic };
  return fixture.testServer.request(name, "POST /messages", { ...to, content });
};

/** Returns the files that every repetition runs, which excludes timers that run meanwhile. */
async function commonOf(action: (index: number) => Promise<ExecutedFiles>): Promise<ExecutedFiles> {
  // The first repetition loads scripts, so it is not counted.
  await action(0);
  const all: ExecutedFiles[] = [];
  for (let index = 1; index <= RUNS; index++) all.push(await action(index));
  const common = (name: keyof ExecutedFiles) =>
    all.map((passed) => passed[name]).reduce((left, right) => left.intersection(right));
  return { executed: common("executed"), walked: common("walked") };
}

type Actions = Record<string, (index: number) => Promise<ExecutedFiles>>;

const actsOn = (traced: TracedPage, own: number): Actions => ({
  ...actsOnMessages(traced, own),
  ...actsOnTopics(traced),
});

const waitForMessage = (page: Page, text: string) =>
  page.locator(".msg .md", { hasText: text }).first().waitFor();

function actsOnMessages(traced: TracedPage, own: number): Actions {
  const { page } = traced;
  return {
    "type and send": async (index) => {
      await page.locator(".compose textarea").fill(`Own ${index}`);
      const files = await filesPassedBy(
        traced,
        async () => {
          await page.keyboard.type("!");
          await page.keyboard.press("Control+Enter");
        },
        ".feed",
      );
      await fixture.untilPosted(page, `Own ${index}!`);
      return files;
    },
    "receive an event": async (index) => {
      const files = await filesPassedBy(
        traced,
        () => post("bo", "logo", `From Bo ${index}`),
        ".feed",
      );
      await waitForMessage(page, `From Bo ${index}`);
      return files;
    },
    react: async (index) => {
      const { id } = await post("bo", "logo", `Reacted ${index}`);
      await page.locator(`#m${id}`).focus();
      const react = () => page.keyboard.press("+");
      const input = { type: "keydown", key: "+" } as const;
      const files = await filesPassedBy(traced, react, `#m${id}`, input);
      await page.locator(`#m${id} .react`).waitFor();
      return files;
    },
    edit: async (index) => {
      await page.locator(`#m${own}`).focus();
      await page.keyboard.press("e");
      await page.locator(`#m${own} .edit-box textarea:focus`).fill(`Edited ${index}`);
      const save = () => page.keyboard.press("Control+Enter");
      const input = { type: "keydown", key: "Enter" } as const;
      const files = await filesPassedBy(traced, save, `#m${own}`, input);
      await waitForMessage(page, `Edited ${index}`);
      await page.locator(`#m${own} .edit-box`).waitFor({ state: "detached" });
      return files;
    },
  };
}

function actsOnTopics(traced: TracedPage): Actions {
  const { page } = traced;
  return {
    "open a topic": async (index) => {
      const topic = index % 2 === 0 ? "other" : "logo";
      const row = page.locator(`.sidebar a[href$="topic/${topic}"]`).first();
      const files = await filesPassedBy(traced, () => row.click(), ".feed", { type: "click" });
      await waitForMessage(page, topic === "other" ? "In the other topic" : "Own ");
      return files;
    },
    "mark as read": async (index) => {
      await page.evaluate(() => {
        location.hash = "#recent";
        // Removes the focus from the sidebar, so that the list receives the keys.
        (document.activeElement as HTMLElement).blur();
      });
      await page.locator(".list-row", { hasText: "logo" }).first().waitFor();
      await post("bo", `unread ${index}`, `Unread ${index}`);
      await page.locator(".list-row", { hasText: `unread ${index}` }).waitFor();
      await page.evaluate(() => (location.hash = "#inbox"));
      // Recent conversations have such a row too.
      await page.locator(".bar h1", { hasText: "Inbox" }).waitFor();
      await page.locator(".list-row[data-unread]", { hasText: `unread ${index}` }).waitFor();
      const selected = page.locator(".list-row[data-unread][data-selected]");
      await until(async () => {
        // The list of the previous view may receive the first key.
        await page.keyboard.press("End");
        return (await selected.count()) > 0;
      });
      const mark = () => page.keyboard.press("e");
      const input = { type: "keydown", key: "e" } as const;
      const files = await filesPassedBy(traced, mark, ".sidebar", input);
      await page.locator(".list-row[data-selected]:not([data-unread])").waitFor();
      return files;
    },
  };
}

test("actions execute no more files than before", async () => {
  const { id: own } = await post("ada", "logo", "Own text");
  await post("bo", "other", "In the other topic");
  const traced = await openTraced();
  const counts: Record<string, Counts> = {};
  for (const [act, once] of Object.entries(actsOn(traced, own))) {
    const { executed, walked } = await commonOf(once);
    counts[act] = { executed: executed.size, walked: walked.size };
    console.log(`${act} runs ${executed.size} files and passes: ${[...walked].join(" ")}`);
  }
  expect(Object.keys(counts)).toEqual(Object.keys(FILES_MAX));
  const exceeded = Object.entries(FILES_MAX).filter(([action, filesMax]) => {
    const { executed, walked } = counts[action]!;
    return executed > filesMax.executed || walked > filesMax.walked;
  });
  expect(exceeded).toEqual([]);
  // If the counts were 0, the limits above would pass too.
  for (const { executed } of Object.values(counts)) expect(executed).toBeGreaterThan(10);
  expect(counts["receive an event"]!.walked).toBeGreaterThan(3);
});
