/** A data directory has one server at a time. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { DirectoryInUse, lockDirectory } from "../../src/store/lock.ts";
import { openStore } from "../../src/store/open.ts";
import { ProcessOutput } from "../process-output.ts";
import { schema, scratch } from "./sample-schema.ts";

const open = (directory: string) => openStore(directory, schema, []);

const ends: (() => void)[] = [];
afterAll(() => ends.forEach((end) => end()));

async function startOtherServer(directory: string) {
  const program = `
    import { openStore } from ${JSON.stringify(join(import.meta.dir, "../../src/store/open.ts"))};
    const sleeper = Bun.spawn(["sleep", "60"]);
    await openStore(process.argv[1], { tables: {}, bitmaps: {} }, []);
    console.log(sleeper.pid);
    setInterval(() => {}, 1000);
  `;
  const child = Bun.spawn([process.execPath, "-e", program, directory], { stdout: "pipe" });
  ends.push(() => child.kill("SIGKILL"));
  const printed = ProcessOutput.from(child.stdout);
  const sleeper = await printed.untilMatch((lines) => Number.parseInt(lines));
  ends.push(() => process.kill(sleeper, "SIGKILL"));
  return child;
}

test("rejects a second process, names the first, and admits it after a kill", async () => {
  const directory = scratch();
  const child = await startOtherServer(directory);
  const opening = await open(directory).catch((error) => error);
  expect(opening).toBeInstanceOf(DirectoryInUse);
  expect(opening.message).toBe(
    `${directory} is in use by process ${child.pid}. Stop that process first`,
  );

  child.kill("SIGKILL");
  await child.exited;
  // A child process of the killed one does not hold the lock either.
  const { close } = await open(directory);
  expect(await Bun.file(`${directory}/lock`).text()).toBe(`${process.pid}\n`);
  await close();
});

test("one process cannot open a directory twice, but again after closing it", async () => {
  const directory = scratch();
  const first = await open(directory);
  await first.store.write((tx) => tx.words.put({ author: 1, word: "a", times: 1, code: 0 }));
  expect(await open(directory).catch((error) => error)).toBeInstanceOf(DirectoryInUse);
  expect(first.store.reading.words.count()).toBe(1);
  await first.close();

  const second = await open(directory);
  expect(second.store.reading.words.get(1, "a")).toEqual({
    author: 1,
    word: "a",
    times: 1,
    code: 0,
  });
  await second.close();
});

test("a lock is free at once after its release", () => {
  const directory = scratch();
  const free = lockDirectory(directory);
  expect(() => lockDirectory(directory)).toThrow(DirectoryInUse);
  free();
  lockDirectory(directory)();
});
