// Reasons of disk write errors, as reported to operators.
import { expect, test } from "bun:test";
import { reasonOf } from "../../src/server/disk-errors.ts";
import { CommitFailed } from "../../src/store/commits.ts";

const coded = (code: string) => Object.assign(new Error("write failed"), { code });
const ofCommit = (text: string) => new CommitFailed(`the disk rejected the write: ${text}`);

test.each([
  ["ENOSPC", coded, "the disk is full"],
  ["EIO", coded, "the disk reports I/O errors"],
  ["EROFS", coded, "the file system is read-only"],
  ["EDQUOT", coded, "the disk quota is used up"],
  ["EFBIG", coded, "the limit of the file size is reached"],
  ["No space left on device", ofCommit, "the disk is full"],
  ["Input/output error", ofCommit, "the disk reports I/O errors"],
  ["Read-only file system", ofCommit, "the file system is read-only"],
  ["the disk does not respond", ofCommit, "the disk rejects writes"],
])("names the reason of %s", (text, create, message) => {
  expect(reasonOf(create(text))).toBe(message);
});
