// Multipart forms with files: parsed in any chunks, and aborted after errors.
import { expect, test } from "bun:test";
import {
  bodyTooLarge,
  malformedForm,
  tooManyParameters,
} from "../../src/contract/errors/general.ts";
import { readForm } from "../../src/server/body/uploads.ts";
import { noise } from "../random.ts";

const BOUNDARY = "edge";

const field = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string, content: string, type = "text/plain") =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\n` +
  `Content-Type: ${type}\r\n\r\n${content}\r\n`;
const END = `--${BOUNDARY}--\r\n`;

/** Creates a request whose body arrives in pieces of this many bytes. */
function requestOf(
  body: string,
  piece: number,
  type = `multipart/form-data; boundary=${BOUNDARY}`,
) {
  const bytes = Buffer.from(body);
  async function* pieces() {
    for (let offset = 0; offset < bytes.length; offset += piece) {
      await Bun.sleep(0);
      yield bytes.subarray(offset, offset + piece);
    }
  }
  return new Request("http://localhost/", {
    method: "POST",
    headers: { "Content-Type": type },
    body: pieces() as unknown as BodyInit,
  });
}

async function readAll(request: Request) {
  const files: string[][] = [];
  const fields = await readForm(request, async ({ name, content_type, bytes }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    files.push([name, content_type, Buffer.concat(chunks).toString()]);
  });
  return { files, fields: [...fields] };
}

test("reads fields and files however the form is chunked", async () => {
  const form = field("a", "1") + file("ä.txt", "héllo\r\n--edg") + field("b", "ü") + END;
  for (const piece of [1, 2, 3, 7, 64, 1000]) {
    expect(await readAll(requestOf(form, piece))).toEqual({
      files: [["ä.txt", "text/plain", "héllo\r\n--edg"]],
      fields: [
        ["a", "1"],
        ["b", "ü"],
      ],
    });
  }
});

test("returns a file's name and type as clients write them, or none", async () => {
  const read = async (disposition: string, type = "") => {
    const head = `Content-Disposition: ${disposition}${type && `\r\nContent-Type: ${type}`}`;
    const form = `--${BOUNDARY}\r\n${head}\r\n\r\nx\r\n${END}`;
    return (await readAll(requestOf(form, 50))).files[0]?.slice(0, 2);
  };
  for (const [disposition, name] of [
    ['form-data; name="f"; filename="a \\"b\\".txt"', 'a "b".txt'],
    ['form-data; name="f"; filename="a %22b%22.txt"', 'a "b".txt'],
    ["form-data; filename=plain.txt; name=f", "plain.txt"],
    ['form-data; name="f"; filename="C:\\folder\\a.txt"', "a.txt"],
    ['form-data; name="f"; filename="../../etc/passwd"', "passwd"],
    ['form-data; name="f"; filename="a; name=b.txt"', "a; name=b.txt"],
    ["form-data; name=\"f\"; filename=old; filename*=UTF-8''f%C3%BCr.txt", "für.txt"],
    ["form-data; name=\"f\"; filename=old; filename*=utf-8''%ff", "old"],
    ['form-data; name="f"; filename=""', ""],
  ] as const) {
    expect(await read(disposition)).toEqual([name, ""]);
  }
  const named = 'form-data; name="f"; filename="a"';
  expect(await read(named, "Text/HTML; charset=utf-8")).toEqual(["a", "text/html"]);
  expect(await read('form-data; name="f"')).toBeUndefined();
});

test("finds nothing in other content types", async () => {
  expect(await readAll(requestOf("a=1", 9, "application/x-www-form-urlencoded"))).toEqual({
    files: [],
    fields: [],
  });
});

test("reports a truncated or unbounded form as malformed", async () => {
  const body = field("a", "1") + file("a.txt", "hello") + END;
  const { message } = malformedForm();
  for (let length = 1; length < body.length - 4; length += 5) {
    await expect(readAll(requestOf(body.slice(0, length), 16))).rejects.toThrow(message);
  }
  await expect(readAll(requestOf(body, 16, "multipart/form-data"))).rejects.toThrow(message);
  const headless = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="b"\r\n`;
  for (const malformed of [headless, `--${BOUNDARY}\r\n\r\nx\r\n`, headless.replace("name", "n")]) {
    const form = field("a", "1") + malformed + file("a.txt", "hello") + END;
    await expect(readAll(requestOf(form, 16))).rejects.toThrow(message);
  }
});

test("rejects too many or too long parts", async () => {
  const body = Array.from({ length: 1_002 }, (_, n) => field(`a${n}`, "")).join("") + END;
  await expect(readAll(requestOf(body, 9_999))).rejects.toThrow(tooManyParameters().message);
  const long = field("a", "x".repeat(600_000)).repeat(2) + END;
  await expect(readAll(requestOf(long, 99_999))).rejects.toThrow(bodyTooLarge().message);
});

test("reads any bytes as a form or malformed, to the end", async () => {
  const pieces = [
    ...[`--${BOUNDARY}`, "\r\n", "\r\n\r\n", "--", "x", ":", "\r", "\n", END],
    ...['Content-Disposition: form-data; name="a"', '; filename="b"', "Content-Type: a/b"],
  ];
  const { message } = malformedForm();
  for (let round = 0; round < 300; round++) {
    const form = Array.from(noise(14), (byte) => pieces[byte % pieces.length]!).join("");
    const received = await readAll(requestOf(form, 40)).catch((error: Error) => error.message);
    if (typeof received === "string") expect([form, received]).toEqual([form, message]);
  }
});

test("stops reading after one file is rejected", async () => {
  const long = "x".repeat(100_000);
  const request = requestOf(file("first", long) + file("second", long) + END, 1000);
  let atWork = 0;
  const refusal = new Error("no");
  const read = readForm(request, async ({ name, bytes }) => {
    atWork++;
    try {
      if (name === "second") throw refusal;
      for await (const _ of bytes) await Bun.sleep(0);
    } finally {
      atWork--;
    }
  });
  expect(await read.catch((error: unknown) => error)).toBe(refusal);
  expect(atWork).toBe(0);
});
