// Uploaded files: accepted or rejected, named, read in whole or in ranges, listed and deleted.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as errors from "../../src/contract/errors/general.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import { addressName, plainType, shownName, parseRange } from "../../src/features/files/rules.ts";
import { noise } from "../random.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { discarded, post, read, striped, type TestFile, upload } from "./upload-fixture.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer({ max_upload_mib: 2 });
});
afterEach(() => testServer.close());

const MIB = 2 ** 20;
const note: TestFile = { name: "note.txt", bytes: "hello, world", type: "text/plain" };

function isRefusal(response: unknown, { errCode: code, status, message: msg }: errors.Refusal) {
  expect(response).toMatchObject({ status, code, msg });
}

const remainingDrafts = (of: TestServer) => {
  const folder = join(of.directory, "data/uploads/drafts");
  return existsSync(folder) ? readdirSync(folder) : [];
};

test("uploads, lists and returns a file unchanged, with events only to its owner", async () => {
  const bytes = noise(MIB);
  const file = { name: "My cät (1).bin", bytes, type: "application/x-thing" };
  const { result, events } = await staysInSync(testServer, ["bo", "cy"], () =>
    post(testServer, "bo", "POST /user_uploads", [file]),
  );
  expect(result).toMatchObject({ status: 200, filename: file.name, uri: result.url });
  expect(result.url).toMatch(/^\/user_uploads\/1\/[0-9a-f]{2}\/[\w-]{24}\/My-cät-1.bin$/);
  const { attachments, upload_space_used } = await testServer.request("bo", "GET /attachments");
  const [attachment] = attachments;
  expect(attachment).toMatchObject({ name: file.name, size: MIB, message_ids: [] });
  expect(result.url).toBe(`/user_uploads/${attachment.path_id}`);
  expect(events.bo).toMatchObject([
    { type: "attachment", op: "add", attachment, upload_space_used },
  ]);
  expect(events.cy).toEqual([]);
  expect(upload_space_used).toBe(MIB);

  const response = await read(testServer, "bo", result.url);
  expect(response.headers.get("content-type")).toBe("application/x-thing");
  expect(await response.bytes()).toEqual(bytes);
  await testServer.restart();
  expect(await (await read(testServer, "bo", result.url)).bytes()).toEqual(bytes);
  expect(remainingDrafts(testServer)).toEqual([]);
});

test("rejects a request without exactly one file of an allowed size", async () => {
  const before = await testServer.request("bo", "GET /attachments");
  const attempt = (...files: TestFile[]) => post(testServer, "bo", "POST /user_uploads", files);
  const large = { name: "large.bin", bytes: new Uint8Array(2 * MIB + 1) };
  isRefusal(await attempt(note, note), realmErrors.filesTooMany());
  isRefusal(await attempt(large), realmErrors.fileTooLarge(2));
  isRefusal(
    await testServer.refused("bo", "POST /user_uploads", { a: "b" }),
    realmErrors.fileMissing(),
  );
  isRefusal(
    await post(testServer, "bo", "POST /user_uploads", [], { a: "b" }),
    realmErrors.fileMissing(),
  );
  const headers = { Authorization: testServer.basicAuthorization("bo") };
  const postUpload = (type: string, body: string) =>
    fetch(`${testServer.url}/api/v1/user_uploads`, {
      method: "POST",
      headers: { ...headers, "Content-Type": type },
      body,
    });
  const truncatedBody = '--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nhalf';
  for (const broken of [
    await postUpload("multipart/form-data", "x"),
    await postUpload("multipart/form-data; boundary=x", truncatedBody),
  ]) {
    isRefusal(
      { status: broken.status, ...((await broken.json()) as object) },
      errors.malformedForm(),
    );
  }
  expect((await attempt({ ...large, bytes: large.bytes.subarray(1) })).status).toBe(200);
  const { attachments } = await testServer.request("bo", "GET /attachments");
  expect(attachments).toHaveLength(before.attachments.length + 1);
  expect(remainingDrafts(testServer)).toEqual([]);
});

test("derives a missing type from the file name, and keeps a given one", async () => {
  const disposition = (name: string) =>
    `Content-Disposition: form-data; name="f"; filename="${name}"\r\n`;
  const postPart = async (head: string) => {
    const response = await fetch(`${testServer.url}/api/v1/user_uploads`, {
      method: "POST",
      headers: {
        Authorization: testServer.basicAuthorization("bo"),
        "Content-Type": "multipart/form-data; boundary=x",
      },
      body: `--x\r\n${head}\r\nname,tea\r\n--x--\r\n`,
    });
    const { url } = (await response.json()) as { url: string };
    return (await read(testServer, "bo", url)).headers.get("content-type");
  };
  expect(await postPart(disposition("list.csv"))).toBe("text/csv; charset=utf-8");
  expect(await postPart(disposition("list.zzz"))).toBe("application/octet-stream");
  const text = "Content-Type: text/plain\r\n";
  expect(await postPart(disposition("list.csv") + text)).toBe("text/plain; charset=utf-8");
  expect(await postPart(text + disposition("list.zzz"))).toBe("text/plain; charset=utf-8");
});

test("limits an organization's files together to its quota", async () => {
  const small = await startTestServer({ upload_quota_mib: 1 });
  try {
    const half = { name: "half.bin", bytes: new Uint8Array(MIB / 2) };
    const url = await upload(small, "bo", half);
    await upload(small, "cy", half);
    const overQuota = await post(small, "bo", "POST /user_uploads", [note]);
    isRefusal(overQuota, realmErrors.uploadQuotaReached());
    expect(overQuota).toMatchObject({ status: 413, code: "REALM_UPLOAD_QUOTA" });
    expect(filesOnDisk(small)).toHaveLength(2);

    const [{ id }] = (await small.request("bo", "GET /attachments")).attachments;
    await small.request("bo", `DELETE /attachments/${id}`);
    await discarded(small);
    expect(filesOnDisk(small)).toHaveLength(1);
    expect((await read(small, "bo", url)).status).toBe(404);
    await upload(small, "bo", note);
  } finally {
    await small.close();
  }
});

function filesOnDisk(of: TestServer): string[] {
  const folder = join(of.directory, "data/uploads/files");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}

test("lets only the owner delete a file, which deletes its bytes", async () => {
  const url = await upload(testServer, "bo", { ...note, name: "gone.txt" });
  const { attachments } = await testServer.request("bo", "GET /attachments");
  const { id } = attachments.at(-1);
  const line = `DELETE /attachments/${id}`;
  isRefusal(await testServer.refused("cy", line), realmErrors.attachmentNotFound());
  const { events } = await staysInSync(testServer, ["bo", "cy"], () =>
    testServer.request("bo", line),
  );
  expect(events.bo).toMatchObject([{ type: "attachment", op: "remove", attachment: { id } }]);
  expect(events.cy).toEqual([]);
  isRefusal(await testServer.refused("bo", line), realmErrors.attachmentNotFound());
  expect((await read(testServer, "bo", url)).status).toBe(404);
});

test("serves no upload as an active page", async () => {
  const page = { name: "a.html", bytes: "<script>alert(1)</script>", type: "text/html" };
  const drawingFile = { name: "a.svg", bytes: "<svg onload='alert(1)'/>", type: "image/svg+xml" };
  const disguised = { name: "a.png", bytes: page.bytes, type: "image/png" };
  const visibleNames = [];
  const soundFile = { name: "a.wav", bytes: "la", type: "audio/x-wav" };
  for (const file of [page, drawingFile, disguised, note, soundFile]) {
    const { headers } = await read(testServer, "bo", await upload(testServer, "bo", file));
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("sandbox");
    visibleNames.push([headers.get("content-type"), headers.get("content-disposition")]);
  }
  expect(visibleNames).toEqual([
    ["text/html; charset=utf-8", "attachment; filename*=UTF-8''a.html"],
    ["image/svg+xml", "attachment; filename*=UTF-8''a.svg"],
    ["application/octet-stream", "attachment; filename*=UTF-8''a.png"],
    ["text/plain; charset=utf-8", "inline; filename*=UTF-8''note.txt"],
    ["audio/x-wav", "inline; filename*=UTF-8''a.wav"],
  ]);
});

test("detects a missing type from the content or the name", async () => {
  const typeOf = async (file: TestFile) =>
    (await read(testServer, "bo", await upload(testServer, "bo", file))).headers.get(
      "content-type",
    );
  expect(await typeOf({ name: "x", bytes: striped(3, 3) })).toBe("image/png");
  expect(await typeOf({ name: "x.gif", bytes: striped(3, 3), type: "image/gif" })).toBe(
    "image/png",
  );
  const unknown = "application/octet-stream";
  expect(await typeOf({ name: "x.csv", bytes: "a,b", type: unknown })).toBe(
    "text/csv; charset=utf-8",
  );
  expect(await typeOf({ name: "x", bytes: "a,b", type: unknown })).toBe(unknown);
});

test("GET //user_uploads/download/x saves a file; HEAD returns its headers", async () => {
  const url = await upload(testServer, "bo", note);
  const saved = await read(testServer, "bo", url.replace("uploads/", "uploads/download/"));
  expect(saved.headers.get("content-disposition")).toStartWith("attachment");
  expect(await saved.text()).toBe(note.bytes as string);
  const head = await read(testServer, "bo", url, {}, "HEAD");
  expect([head.status, head.headers.get("content-length")]).toEqual([200, "12"]);
  expect(await head.text()).toBe("");
});

test("serves a range of a file", async () => {
  const url = await upload(testServer, "bo", note);
  const getRange = async (Range: string) => {
    const response = await read(testServer, "bo", url, { Range });
    return [response.status, response.headers.get("content-range"), await response.text()];
  };
  expect(await getRange("bytes=0-4")).toEqual([206, "bytes 0-4/12", "hello"]);
  expect(await getRange("bytes=7-")).toEqual([206, "bytes 7-11/12", "world"]);
  expect(await getRange("bytes=-5")).toEqual([206, "bytes 7-11/12", "world"]);
  expect(await getRange("bytes=12-")).toEqual([416, "bytes */12", ""]);
  expect(await getRange("bytes=0-1,3-4")).toEqual([200, null, "hello, world"]);
});

test("parses ranges as the protocol defines them", () => {
  const cases: [string | null, unknown][] = [
    [null, "whole"],
    ["bytes=-", "whole"],
    ["lines=1-2", "whole"],
    ["bytes=5-2", "whole"],
    ["bytes=0-99", { from: 0, to: 10 }],
    ["bytes=-99", { from: 0, to: 10 }],
    ["bytes=9-9", { from: 9, to: 10 }],
    ["bytes=-0", "none"],
    ["bytes=10-", "none"],
  ];
  for (const [header, span] of cases) expect(parseRange(header, 10)).toEqual(span as never);
  expect(parseRange("bytes=0-", 0)).toBe("none");
});

test("keeps percent signs in a file name", async () => {
  const name = "a%20b.txt";
  const file = { name, bytes: "x", type: "text/plain" };
  const { filename, url } = await post(testServer, "bo", "POST /user_uploads", [file]);
  expect(filename).toBe(name);
  const response = await read(testServer, "bo", url);
  const disposition = "inline; filename*=UTF-8''a%2520b.txt";
  expect(response.headers.get("content-disposition")).toBe(disposition);
});

test("keeps letters of all languages in URLs of files, and removes symbols", () => {
  const cases: Record<string, string> = {
    "report 2026 - final.pdf": "report-2026-final.pdf",
    "  ../../etc/passwd": "....etcpasswd",
    "Ünïcode – 日本.PNG": "Ünïcode-日本.PNG",
    ﬁle: "file",
    "<>?": "uploaded-file",
    ".": "uploaded-file",
    "..": "uploaded-file",
    "a_b-c": "a_b-c",
  };
  for (const [value, name] of Object.entries(cases)) expect(addressName(value)).toBe(name);
  expect(addressName("Ünï 1.png", true)).toBe("n-1.png");
  expect(addressName("文書.txt", true)).toBe("uploaded-file.txt");
  expect(addressName(".profile", true)).toBe(".profile");
  const long = addressName(`${"x".repeat(300)}.jpeg`);
  expect([long.length, long.endsWith("x.jpeg")]).toEqual([100, true]);
  expect(shownName("100%.txt")).toBe("100%.txt");
  expect(shownName("\r\n")).toBe("uploaded-file");
  expect(shownName("\u202egnp.\u2066exe")).toBe("gnp.exe");
  expect(plainType("Text/HTML; charset=x")).toBe("text/html");
  expect(plainType("no type")).toBe("application/octet-stream");
});
