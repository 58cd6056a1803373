// Reasons of disk write errors, as reported to operators.
import { expect, test } from "bun:test";
import { reasonOf } from "../../src/server/disk-errors.ts";
import { CommitFailed } from "../../src/store/commits.ts";

const errorWithCode = (code: string) => Object.assign(new Error("write failed"), { code });
const commitError = (text: string) => new CommitFailed(`the disk rejected the write: ${text}`);

test.each([
  ["ENOSPC", errorWithCode, "the disk is full"],
  ["EIO", errorWithCode, "the disk reports I/O errors"],
  ["EROFS", errorWithCode, "the file system is read-only"],
  ["EDQUOT", errorWithCode, "the disk quota is used up"],
  ["EFBIG", errorWithCode, "the limit of the file size is reached"],
  ["No space left on device", commitError, "the disk is full"],
  ["Input/output error", commitError, "the disk reports I/O errors"],
  ["Read-only file system", commitError, "the file system is read-only"],
  ["the disk does not respond", commitError, "the disk rejects writes"],
])("names the reason of %s", (text, create, message) => {
  expect(reasonOf(create(text))).toBe(message);
});
