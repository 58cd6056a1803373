/** The demo is a complete organization, reachable only locally, and leaves no files behind. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { Demo, endDemos, type Visitor } from "./demo.ts";
import { skein } from "./skein.ts";

const newFolder = () => mkdtempSync(join(tmpdir(), "skein-demos-"));

describe("a running demo", () => {
  let folder: string;
  let demo: Demo;
  let visitor: Visitor;

  beforeAll(async () => {
    folder = newFolder();
    demo = await Demo.start(folder);
    visitor = await demo.openVisitor();
  });

  afterAll(async () => {
    await endDemos();
    rmSync(folder, { recursive: true, force: true });
  });

  test("its link signs in once, as a user with weeks of conversations", async () => {
    const secondResponse = await fetch(demo.link, { redirect: "manual" });
    expect(secondResponse.status).toBe(410);
    expect(secondResponse.headers.getSetCookie().join()).not.toContain("sessionid=");
    const me = await visitor.get("/users/me");
    expect(me).toMatchObject({ full_name: "Ada Moss", is_owner: true });
    const { messages } = await visitor.get("/messages?anchor=newest&num_before=1000&num_after=0");
    expect(messages.length).toBeGreaterThan(150);
    const times = messages.map(({ timestamp }: { timestamp: number }) => timestamp);
    expect(times).toEqual(times.toSorted((a: number, b: number) => a - b));
    const now = Date.now() / 1000;
    expect(times.at(-1)).toBeLessThan(now);
    expect(times[0]).toBeLessThan(now - 14 * 86_400);
    const unread = messages.filter(({ flags }: { flags: string[] }) => !flags.includes("read"));
    expect(unread.length).toBeGreaterThan(5);
    expect(unread.length).toBeLessThan(30);
  });

  test("has a poll with votes, code, formulas, pictures and a file", async () => {
    const { messages } = await visitor.get("/messages?anchor=newest&num_before=1000&num_after=0");
    const html = messages.map(({ content }: { content: string }) => content).join("\n");
    for (const part of ["<table>", 'class="katex"', 'data-code-language="TypeScript"', "spoiler"]) {
      expect(html).toContain(part);
    }
    const widgets = messages.filter(
      ({ submessages }: { submessages: [] }) => submessages.length > 3,
    );
    expect(widgets).toHaveLength(1);
    const pictures = [...html.matchAll(/data-original-src="([^"]+)"|<img[^>]* src="([^"]+)"/g)];
    expect(pictures.length).toBeGreaterThanOrEqual(3);
    for (const [, source] of html.matchAll(/href="(\/user_uploads\/[^"]+)"/g)) {
      expect((await visitor.send(source!)).status).toBe(200);
    }
  });

  test("is not reachable from another machine", async () => {
    const { port } = new URL(demo.link);
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
    const others = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    for (const { address, family, internal } of others) {
      if (internal || address.startsWith("fe80:")) continue;
      const host = family === "IPv6" ? `[${address}]` : address;
      const reached = await fetch(`http://${host}:${port}/livez`).catch((error: unknown) => error);
      expect(reached).toBeInstanceOf(Error);
    }
  });
});

describe("demos that start and stop", () => {
  let folder: string;

  beforeEach(() => {
    folder = newFolder();
  });

  afterEach(async () => {
    await endDemos();
    rmSync(folder, { recursive: true, force: true });
  });

  test("its users keep writing", async () => {
    const demo = await Demo.start(folder, { every: "1" });
    const visitor = await demo.openVisitor();

    const { queue_id, last_event_id } = await visitor.post("/register", {
      event_types: '["message","typing"]',
      client_capabilities: '{"stream_typing_notifications":true}',
    });
    const received = new Set<string>();
    for (let last = last_event_id; !received.has("message");) {
      const { events } = await visitor.get(`/events?queue_id=${queue_id}&last_event_id=${last}`);
      for (const event of events) received.add(event.type);
      last = events.at(-1).id;
    }
    expect([...received]).toContain("typing");
    await demo.stop();
  });

  test("deletes its data when stopped, and that of a killed demo", async () => {
    const killed = await Demo.start(folder, { isSource: true });
    const [remainingFolder] = readdirSync(folder);
    await killed.stop("SIGKILL");
    expect(readdirSync(folder)).toEqual([remainingFolder!]);

    const demo = await Demo.start(folder, { isSource: true });
    const two = await Demo.start(folder, { isSource: true });
    const now = readdirSync(folder);
    expect(now).toHaveLength(2);
    expect(now).not.toContain(remainingFolder);
    expect((await demo.openVisitor()).id).toBeGreaterThan(0);
    expect(await two.stop("SIGTERM")).toBe(0);
    expect(readdirSync(folder)).toHaveLength(1);
    expect(await demo.stop()).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("rejects invalid flags before it creates anything", async () => {
    for (const flags of [
      ["--port", "70000"],
      ["--every", "often"],
    ]) {
      const env = { TMPDIR: folder };
      const { code, err } = await skein(["demo", ...flags], { env, isSource: true });
      expect(code).toBe(2);
      expect(err).toContain(`${flags[0]} must be a whole number`);
    }
    expect(readdirSync(folder)).toEqual([]);
  });
});
