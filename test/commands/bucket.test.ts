// Configuration of the file bucket by flags, and by keys outside of the command line.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bucketFlags, bucketIn } from "../../src/commands/bucket.ts";
import { parseFlags } from "../../src/commands/config/sources.ts";
import type { Environment, Values } from "../../src/commands/flags.ts";
import { skein } from "./skein.ts";

const KEYS = { SKEIN_S3_ACCESS_KEY_ID: "id", SKEIN_S3_SECRET_ACCESS_KEY: "very secret" };
const ENDPOINT = "https://s3.example.com/";

function bucketOf(args: string[], environment: Environment) {
  const values = parseFlags(bucketFlags, args, environment) as Values<typeof bucketFlags>;
  return bucketIn(values);
}

test("stores files in the data directory without flags, whatever keys are set", () => {
  expect(bucketOf([], KEYS)).toBeUndefined();
});

test("a bucket has an endpoint, a name, a region and two keys", () => {
  const args = ["--s3-endpoint", ENDPOINT, "--s3-bucket", "files", "--s3-region=eu-west-3"];
  expect(bucketOf(args, KEYS)).toEqual({
    endpoint: "https://s3.example.com",
    bucket: "files",
    region: "eu-west-3",
    access_key_id: "id",
    secret_access_key: "very secret",
  });
  const environment = { ...KEYS, SKEIN_S3_ENDPOINT: ENDPOINT, SKEIN_S3_BUCKET: "files" };
  expect(bucketOf([], environment)).toMatchObject({ bucket: "files", region: "us-east-1" });
});

const BUCKET = ["--s3-bucket", "b"];
const wrong: [string[], Environment, string][] = [
  [["--s3-endpoint", ENDPOINT], KEYS, "--s3-endpoint requires --s3-bucket"],
  [BUCKET, KEYS, "--s3-bucket requires --s3-endpoint"],
  [["--s3-endpoint", ENDPOINT, ...BUCKET], {}, "SKEIN_S3_SECRET_ACCESS_KEY in the environment"],
  [["--s3-endpoint", "s3.example.com", ...BUCKET], KEYS, "--s3-endpoint must be a URL"],
  [["--s3-endpoint", "https://k:s@s3.example.com", ...BUCKET], KEYS, "--s3-endpoint must be a URL"],
];

test.each(wrong)("%p is not a bucket", (args, environment, text) => {
  expect(() => bucketOf(args, environment)).toThrow(text);
});

test("reads a key from a file, and never from the command line", () => {
  const folder = mkdtempSync(join(tmpdir(), "skein-keys-"));
  try {
    writeFileSync(join(folder, "s3_access_key_id"), "id of a file\n");
    writeFileSync(join(folder, "secret"), "secret of a file");
    const args = ["--s3-endpoint", ENDPOINT, ...BUCKET];
    const credentials = { CREDENTIALS_DIRECTORY: folder };
    const secretFlags = ["--s3-secret-access-key-file", join(folder, "secret")];
    expect(bucketOf([...args, ...secretFlags], credentials)).toMatchObject({
      access_key_id: "id of a file",
      secret_access_key: "secret of a file",
    });
    const environment = { ...credentials, SKEIN_S3_SECRET_ACCESS_KEY_FILE: join(folder, "secret") };
    expect(bucketOf(args, environment)).toMatchObject({ secret_access_key: "secret of a file" });
    expect(bucketOf(args, { ...environment, ...KEYS })).toMatchObject({ access_key_id: "id" });
    expect(() => bucketOf([...args, "--s3-secret-access-key", "x"], KEYS)).toThrow(
      "--s3-secret-access-key would be visible to other users: use --s3-secret-access-key-file",
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("help names the variables of the keys, and shows no key", async () => {
  const { out } = await skein(["serve", "--help"], { env: KEYS });
  for (const name of Object.keys(KEYS)) expect(out).toContain(name);
  expect(out).not.toContain(KEYS.SKEIN_S3_SECRET_ACCESS_KEY);
});
