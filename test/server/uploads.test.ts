// Forms with files in them: read as they come, in any cut, and given up when something is wrong.
import { expect, test } from "bun:test";
import { malformedForm } from "../../src/contract/errors/general.ts";
import { readForm } from "../../src/server/body/uploads.ts";

const BOUNDARY = "edge";

const field = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string, content: string, type = "text/plain") =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\n` +
  `Content-Type: ${type}\r\n\r\n${content}\r\n`;
const END = `--${BOUNDARY}--\r\n`;

/** A request whose body comes in pieces of so many bytes. */
function requestOf(
  body: string,
  piece: number,
  type = `multipart/form-data; boundary=${BOUNDARY}`,
) {
  const bytes = Buffer.from(body);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += piece) {
      await Bun.sleep(0);
      yield bytes.subarray(at, at + piece);
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

test("fields and files are read however the form is cut", async () => {
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

test("what is no form of this kind has nothing in it", async () => {
  expect(await readAll(requestOf("a=1", 9, "application/x-www-form-urlencoded"))).toEqual({
    files: [],
    fields: [],
  });
});

test("a form that ends early, or has no edge, is malformed", async () => {
  const whole = field("a", "1") + file("a.txt", "hello") + END;
  const { message } = malformedForm();
  for (let length = 1; length < whole.length - 4; length += 5) {
    await expect(readAll(requestOf(whole.slice(0, length), 16))).rejects.toThrow(message);
  }
  await expect(readAll(requestOf(whole, 16, "multipart/form-data"))).rejects.toThrow(message);
});

test("when one file is refused, nobody reads the others any more", async () => {
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
