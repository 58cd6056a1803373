// Helpers for uploads: forms with files, reading files back, and sample images.
import { deflateSync } from "node:zlib";
import { DISCARD } from "../../src/features/files/discard.ts";
import { png } from "../../src/pictures/png.ts";
import type { Name } from "../users.ts";
import type { Json, TestServer } from "../test-server.ts";

export interface TestFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer> | string;
  type?: string;
}

/** A line is as in `testServer.send`; the form contains the files and other fields. */
export async function post(
  testServer: TestServer,
  name: Name,
  line: string,
  files: readonly TestFile[],
  fields: Record<string, string> = {},
): Promise<Json> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  for (const file of files) {
    form.append("file", new File([file.bytes], file.name, { type: file.type ?? "" }));
  }
  const [method, path] = line.split(" ") as [string, string];
  const headers = { Authorization: testServer.basicAuthorization(name), ...testServer.hostHeader };
  const response = await fetch(`${testServer.url}/api/v1${path}`, { method, headers, body: form });
  return { status: response.status, ...((await response.json()) as object) };
}

/** Returns the address of the uploaded file. */
export async function upload(testServer: TestServer, name: Name, file: TestFile): Promise<string> {
  const response = await post(testServer, name, "POST /user_uploads", [file]);
  if (response.status !== 200) throw new Error(JSON.stringify(response));
  return response.url;
}

/** Fetches an address; `name` null: without signing in. */
export function read(
  testServer: TestServer,
  name: Name | null,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Response> {
  const own: Record<string, string> =
    name === null ? {} : { Authorization: testServer.basicAuthorization(name) };
  const signed = { ...own, ...testServer.hostHeader, ...headers };
  return fetch(testServer.url + path, { method, headers: signed, redirect: "manual" });
}

/** Resolves when the bytes of unused files are deleted. */
export async function discarded(testServer: TestServer): Promise<void> {
  const isWaiting = () =>
    [...testServer.realm.read.due.range()].some(({ kind }) => kind === DISCARD);
  while (isWaiting()) {
    // The clock may have been moved.
    testServer.realm.onDue();
    await Bun.sleep(1);
  }
}

/** An image with stripes of two colors, from left to right. */
export function striped(width: number, height: number): Uint8Array<ArrayBuffer> {
  const pixels = new Uint8Array(width * height).map((_, i) => (i % width < width / 2 ? 1 : 0));
  return png(
    width,
    height,
    [
      [200, 30, 30],
      [30, 30, 200],
    ],
    pixels,
  );
}

/** Its header claims more pixels than any server can hold. */
export function bomb(): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(striped(2, 2));
  bytes.writeUInt32BE(60_000, 16);
  bytes.writeUInt32BE(60_000, 20);
  bytes.writeUInt32BE(Bun.hash.crc32(bytes.subarray(12, 29)), 29);
  return new Uint8Array(bytes);
}

/** A GIF of two black frames, one pixel each. */
export function movingGif(): Uint8Array<ArrayBuffer> {
  const frame = [0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  const head = [...Buffer.from("GIF89a"), 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  return Uint8Array.from([...head, ...frame, ...frame, 0x3b]);
}

/** A PNG with the chunk that states the number of frames. */
export function movingPng(frames = 2): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(striped(4, 4));
  const body = Buffer.from([...Buffer.from("acTL"), 0, 0, 0, 0, 0, 0, 0, 0]);
  body.writeUInt32BE(frames, 4);
  const chunk = Buffer.alloc(20);
  chunk.writeUInt32BE(8, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(Bun.hash.crc32(body), 16);
  const header_end = 33;
  return new Uint8Array(
    Buffer.concat([bytes.subarray(0, header_end), chunk, bytes.subarray(header_end)]),
  );
}

/** Begins like an image, but its pixels are missing. */
export function brokenPng(): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(striped(40, 40));
  const junk = deflateSync(Buffer.from("nothing"));
  return new Uint8Array(Buffer.concat([bytes.subarray(0, 41), junk]));
}
