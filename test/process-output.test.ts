// Output of a process is read in the same way, however it is split.
import { expect, test } from "bun:test";
import { listeningUrl, ProcessOutput } from "./process-output.ts";

const MESSAGES = "Skein listens on http://127.0.0.1:34567\nUsers can sign in to Zürich 😀\n";

/** Cuts the output into pieces of this many bytes, even inside of a character. */
const inPieces = (bytes: number) =>
  new ReadableStream<Uint8Array>({
    async start(controller) {
      const all = new TextEncoder().encode(MESSAGES);
      for (let index = 0; index < all.length; index += bytes) {
        controller.enqueue(all.slice(index, index + bytes));
        await Bun.sleep(0);
      }
      controller.close();
    },
  });

test.each([1, 2, 3, 7, 33, 1_000])("in pieces of %d bytes", async (bytes) => {
  const printed = ProcessOutput.from(inPieces(bytes));
  expect(await listeningUrl(printed)).toBe("http://127.0.0.1:34567");
  expect(await printed.untilMatch((lines) => /in to (.*)$/m.exec(lines)?.[1])).toBe("Zürich 😀");
  expect(await Array.fromAsync(printed.lines())).toEqual(MESSAGES.trim().split("\n"));
  expect(await printed.readWhole()).toBe(MESSAGES);
  expect(printed.textSoFar).toBe(MESSAGES);
});

test("reports the output so far when expected words never come", async () => {
  const printed = ProcessOutput.from(inPieces(5));
  await expect(printed.untilMatch((lines) => lines.includes("gone"))).rejects.toThrow("Zürich");
});
