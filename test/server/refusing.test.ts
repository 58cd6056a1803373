// Why the disk refuses a write, as operators are told.
import { expect, test } from "bun:test";
import { reasonOf } from "../../src/server/refusing.ts";
import { CommitFailed } from "../../src/store/commits.ts";

const coded = (code: string) => Object.assign(new Error("write failed"), { code });
const ofCommit = (words: string) => new CommitFailed(`the disk refused the write: ${words}`);

test.each([
  ["ENOSPC", coded, "the disk is full"],
  ["EIO", coded, "the disk reports I/O errors"],
  ["EROFS", coded, "the file system is read-only"],
  ["EDQUOT", coded, "the disk quota is used up"],
  ["EFBIG", coded, "the limit on the size of files is reached"],
  ["No space left on device", ofCommit, "the disk is full"],
  ["Input/output error", ofCommit, "the disk reports I/O errors"],
  ["Read-only file system", ofCommit, "the file system is read-only"],
  ["the disk does not answer", ofCommit, "the disk refuses writes"],
])("names the reason of %s", (said, made, words) => {
  expect(reasonOf(made(said))).toBe(words);
});
