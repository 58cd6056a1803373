// Slow requests and responses continue while bytes move, and end if they stall or are too slow.
import { expect, test } from "bun:test";
import { connect } from "node:net";
import { requestTooSlow } from "../../src/contract/errors/general.ts";
import { endpoint, openEndpoint, text } from "../../src/endpoint.ts";
import { bodyChunks } from "../../src/server/body/body-timeouts.ts";
import { streamedResponse } from "../../src/server/body/response-timeouts.ts";
import { cutSilent, CHECKS, waitingBodies } from "../../src/server/body/short-body.ts";
import { anyone, signedIn } from "../../src/server/gate.ts";
import type { Route } from "../../src/server/routing.ts";
import { credentials, open } from "./sample-server.ts";
import { until } from "../wait-until.ts";

const STEADY = { silence_ms: 60_000, window_ms: 1, bytes_per_second: 0 };
const PIECES = 24;
const PAUSE_MS = 80;

function bodyOf(pieces: number, then: "ends" | "is silent", wait_ms = 0) {
  let index = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await Bun.sleep(wait_ms);
      if (index++ < pieces) return controller.enqueue(new Uint8Array(10));
      if (then === "ends") return controller.close();
      await new Promise(() => {});
    },
  });
}

async function sizeOf(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of bytes) size += chunk.length;
  return size;
}

test("returns what arrives until the end", async () => {
  expect(await sizeOf(bodyChunks(bodyOf(5, "ends"), STEADY))).toBe(50);
  expect(await sizeOf(bodyChunks(null, STEADY))).toBe(0);
});

test("cuts silent and slow requests", async () => {
  const silent = { ...STEADY, silence_ms: 30 };
  const refusal = requestTooSlow();
  await expect(sizeOf(bodyChunks(bodyOf(2, "is silent"), silent))).rejects.toThrow(refusal.message);
  const slow = { ...STEADY, bytes_per_second: 1_000_000 };
  await expect(sizeOf(bodyChunks(bodyOf(50, "ends", 2), slow))).rejects.toThrow(refusal.message);
  expect(refusal.status).toBe(408);
});

test("a long response can take as long as it is read", async () => {
  const bytes = new Blob([new Uint8Array(40_000_000)]);
  const run = () => streamedResponse(bytes, {});
  const route = {
    method: "GET",
    path: "/x",
    gate: anyone,
    endpoint: openEndpoint({ summary: "A thing", tag: "Server", params: {}, run }),
  };
  const { url, stop } = await open([route as Route], { hooks: { idle_seconds: 1 } });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const { promise, resolve } = Promise.withResolvers<void>();
  let size = 0;
  let end = "";
  socket.on("data", (chunk) => {
    size += chunk.length;
    end = (end + chunk.toString("latin1")).slice(-5);
    if (end === "0\r\n\r\n") return resolve();
    socket.pause();
    setTimeout(() => socket.resume(), PAUSE_MS);
  });
  socket.on("close", () => resolve());
  socket.write("GET /api/v1/x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  await promise;
  expect([size > bytes.size, end]).toEqual([true, "0\r\n\r\n"]);
  socket.destroy();
  await stop();
});

test("aborts a response that is not read", async () => {
  const departure = Promise.withResolvers<void>();
  async function* endlessBody() {
    try {
      for (;;) yield new Uint8Array(10);
    } finally {
      departure.resolve();
    }
  }
  const { body } = streamedResponse(endlessBody(), {}, 20);
  const reader = body!.getReader();
  expect((await reader.read()).value?.length).toBe(10);
  await departure.promise;
  await expect(Array.fromAsync(readAll(reader))).rejects.toThrow(
    "the client does not read the response",
  );
});

async function* readAll(reader: ReadableStreamDefaultReader<Uint8Array>) {
  for (;;) yield (await reader.read()).value;
}

test("a request can take as long as bytes arrive", async () => {
  const run = async ({ request }: { request: Request }) => ({
    size: await sizeOf(bodyChunks(request.body)),
  });
  const raw = endpoint({ summary: "A thing", tag: "Server", params: {}, body: "raw", run });
  const route = { method: "POST", path: "/x", gate: signedIn, endpoint: raw } as const;
  const { url, stop } = await open([route], { hooks: { idle_seconds: 1 } });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  socket.on("data", (bytes) => resolve(bytes.toString()));
  socket.on("close", () => reject(new Error("it was cut off")));
  const [[name, value]] = Object.entries(credentials("Mona")) as [[string, string]];
  const size = 20_000 * PIECES;
  socket.write(
    `POST /api/v1/x HTTP/1.1\r\nHost: 127.0.0.1\r\n${name}: ${value}\r\n` +
      `Content-Length: ${size}\r\n\r\n`,
  );
  for (let index = 0; index < PIECES; index++) {
    await Bun.sleep(250);
    socket.write(Buffer.alloc(20_000));
  }
  expect(await promise).toContain(`"size":${size}`);
  socket.destroy();
  await stop();
});

test("accepts a slow short form, and cuts a silent one", async () => {
  const form = endpoint({
    summary: "A thing",
    tag: "Server",
    params: { content: text },
    run: (_, { content }) => ({ size: content.length }),
  });
  const route = { method: "POST", path: "/x", gate: signedIn, endpoint: form } as const;
  // Disables the runtime's own timeout.
  const { url, stop } = await open([route], { hooks: { idle_seconds: 0 } });
  const { hostname, port } = new URL(url);
  const [[name, value]] = Object.entries(credentials("Mona")) as [[string, string]];
  const openConnection = () => {
    const socket = connect(Number(port), hostname);
    const end = Promise.withResolvers<string>();
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes;
      if (text.includes("}")) end.resolve(text);
    });
    socket.on("close", () => end.resolve(text));
    socket.write(
      `POST /api/v1/x HTTP/1.1\r\nHost: 127.0.0.1\r\n${name}: ${value}\r\n` +
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 12\r\n\r\ncont",
    );
    return { socket, ended: end.promise };
  };
  const [silent, slow] = [openConnection(), openConnection()];
  await until(() => waitingBodies() >= 2);
  for (let index = 0; index < CHECKS; index++) cutSilent();
  slow.socket.write("ent=abcd");
  expect(await slow.ended).toContain('"size":4');
  expect(waitingBodies()).toBe(1);
  cutSilent();
  expect(await silent.ended).toBe("");
  expect(waitingBodies()).toBe(0);
  slow.socket.destroy();
  await stop();
});
