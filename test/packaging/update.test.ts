// `skein update` from a file and an address, signed with keys of this run.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { createPublicKey, createPrivateKey, randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { commentFor, type Signer, signatureOf } from "../../packaging/sign.ts";
import { builtBinary } from "../built-executable.ts";
import { MAIN } from "../commands/skein.ts";
import { dataOf } from "../formats/fixtures.ts";
import { ProcessOutput } from "../process-output.ts";

const TARGET = `linux-${process.arch}`;
const NAME = `skein-${TARGET}`;
const TIME = 1_700_000_000;
let folder: string;
/** A minimal executable that prints its version. */
const newer = new Uint8Array(Buffer.from(`#!/bin/sh\necho '{"version":"${version}"}'\n`));
/** The file that is replaced. */
let oldExecutable: string;
let source: string;

function newKey(): { signer: Signer; line: string } {
  const signer = { id: randomBytes(8), seed: randomBytes(32) };
  const prefix = Buffer.from("302e020100300506032b657004220420", "hex");
  const der = Buffer.concat([prefix, signer.seed]);
  const secret = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(secret).export({ format: "der", type: "spki" }).subarray(-32);
  return {
    signer,
    line: Buffer.concat([Buffer.from("Ed"), signer.id, publicKey]).toString("base64"),
  };
}

/** Two trusted keys, so that one can replace the other. */
const keys = [newKey(), newKey()];
const [first, second] = keys as [(typeof keys)[0], (typeof keys)[0]];
const outsider = newKey();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-update-"));
  source = join(folder, NAME);
  writeFileSync(source, newer);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  const path = join(folder, "bin");
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  oldExecutable = join(path, "skein");
  writeFileSync(oldExecutable, "the one before", { mode: 0o755 });
  put(signatureOf(newer, first.signer, commentFor(NAME, TIME)));
});

const put = (signature: string) => writeFileSync(`${source}.minisig`, signature);

interface UpdateOptions {
  /** Input on the terminal; without it there is no terminal. */
  typed?: string;
  own?: string;
  trustedKey?: string;
  env?: Record<string, string>;
}

/** Runs the update as an older version with these keys. */
async function update(args: string[], requested: UpdateOptions = {}) {
  const {
    own = "0.0.9",
    trustedKey: known = keys.map(({ line }) => line).join(","),
    typed,
    env,
  } = requested;
  const defines = { SKEIN_VERSION: own, SKEIN_UPDATE_KEYS: known, SKEIN_TARGET: TARGET };
  const define = Object.entries(defines).flatMap(([name, value]) => {
    return ["--define", `${name}=${JSON.stringify(value)}`];
  });
  const command = ["update", ...args, "--executable", oldExecutable];
  const run = [process.execPath, ...define, MAIN, ...command];
  const output = new ProcessOutput();
  const child = Bun.spawn(run, {
    env: { ...process.env, ...env },
    ...(typed === undefined
      ? { stdio: ["ignore", "pipe", "pipe"] }
      : { terminal: { data: (_, bytes) => output.append(bytes) } }),
  });
  if (typed !== undefined) child.terminal?.write(`${typed}\r`);
  const pipes = [child.stdout, child.stderr].filter((pipe) => pipe instanceof ReadableStream);
  const out = await Promise.all(pipes.map((pipe) => new Response(pipe).text()));
  const code = await child.exited;
  child.terminal?.close();
  return { code, out: out.join("") + output.textSoFar };
}

const isAsItWas = () =>
  readFileSync(oldExecutable, "utf8") === "the one before" &&
  readdirSync(join(oldExecutable, "..")).length === 1;

test("verifies a file, tries it on the data, installs it, and reinstalls the old one", async () => {
  const data = await dataOf(3);
  const before = readFileSync(join(data, "data.mdb"));
  const executable = await builtBinary();
  const real = readFileSync(executable);
  const from = join(folder, "real");
  symlinkSync(executable, from);
  writeFileSync(`${from}.minisig`, signatureOf(real, first.signer, commentFor(NAME, TIME)));
  const input = ["--from", from, "--data", data];
  const checked = await update([...input, "--check"]);
  expect([checked.code, checked.out]).toEqual([
    0,
    expect.stringContaining("Upgrading format 3 to"),
  ]);
  expect(isAsItWas()).toBe(true);
  expect((await update(input, { typed: "no" })).out).toContain("Nothing changed.");
  expect(isAsItWas()).toBe(true);
  const done = await update(input, { typed: "y" });
  expect([done.code, done.out]).toEqual([0, expect.stringContaining(`Installed Skein ${version}`)]);
  expect(Buffer.compare(readFileSync(oldExecutable), real)).toBe(0);
  expect(readFileSync(`${oldExecutable}.previous`, "utf8")).toBe("the one before");
  expect(existsSync(`${oldExecutable}.new`)).toBe(false);
  expect(readFileSync(join(data, "data.mdb"))).toEqual(before);

  writeFileSync(`${oldExecutable}.previous`, newer, { mode: 0o755 });
  writeFileSync(oldExecutable, "one that is bad", { mode: 0o755 });
  const rollback = await update(["--back"], { typed: "y" });
  expect([rollback.code, rollback.out]).toEqual([
    0,
    expect.stringContaining(`Reinstalled Skein ${version}`),
  ]);
  expect(Buffer.compare(readFileSync(oldExecutable), newer)).toBe(0);
  expect(readFileSync(`${oldExecutable}.previous`, "utf8")).toBe("one that is bad");
});

test("installs from a URL, with the second of its keys", async () => {
  const signature = signatureOf(newer, second.signer, commentFor(NAME, TIME));
  const server = Bun.serve({
    port: 0,
    routes: {
      [`/${NAME}`]: () => new Response(newer),
      [`/${NAME}.minisig`]: new Response(signature),
    },
    fetch: () => new Response("none", { status: 404 }),
  });
  try {
    const from = new URL(NAME, server.url).href;
    const { code, out } = await update(["--from", from], { typed: "y" });
    expect([code, out]).toEqual([0, expect.stringContaining("Installed Skein")]);
    expect(Buffer.compare(readFileSync(oldExecutable), newer)).toBe(0);
    const failure = await update(["--from", `${from}-none`, "--check"]);
    expect([failure.code, failure.out]).toEqual([1, expect.stringContaining("status 404")]);
  } finally {
    await server.stop(true);
  }
});

const validComment = () => commentFor(NAME, TIME);
const signatureWith = (comment: string, signer = first.signer) =>
  signatureOf(newer, signer, comment);
const flipped = Buffer.from("another");

test.each([
  ["a key that is unknown", () => signatureWith(validComment(), outsider.signer), "does not trust"],
  [
    "another file",
    () => signatureOf(flipped, first.signer, validComment()),
    "does not match its signature",
  ],
  [
    "a changed comment",
    () => signatureWith(validComment()).replace(`${version} `, "9.9.9 "),
    "the trusted comment",
  ],
  ["no signature", () => "untrusted comment: none\n", "not in minisign format"],
  [
    "another target",
    () => signatureWith(commentFor("skein-linux-s390x", TIME)),
    "skein-linux-s390x",
  ],
  ["an older version", () => signatureWith(`skein 0.0.1 ${NAME}`), "is older than 0.0.9"],
  [
    "a version that is not the signed one",
    () => signatureWith(`skein 7.0.0 ${NAME}`),
    "but its signature says",
  ],
])("refused, and all as it was: %s", async (_, signature, text) => {
  put(signature());
  const { code, out } = await update(["--from", source], { typed: "y" });
  expect([code, out]).toEqual([1, expect.stringContaining(text)]);
  expect(isAsItWas()).toBe(true);
});

test("rejects updates without keys, without a terminal and inside a service", async () => {
  const from = ["--from", source];
  const refusals: [UpdateOptions, string][] = [
    [{ trustedKey: "", typed: "y" }, "without update keys"],
    [{}, "needs a terminal"],
    [{ typed: "y", env: { NOTIFY_SOCKET: "/run/none" } }, "a service cannot update itself"],
  ];
  for (const [requested, text] of refusals) {
    const { code, out } = await update(from, requested);
    expect([code, out]).toEqual([1, expect.stringContaining(text)]);
  }
  const same = await update([...from, "--check"], { own: version });
  expect([same.code, same.out]).toEqual([0, expect.stringContaining("is already installed")]);
  expect(isAsItWas()).toBe(true);
});

test.skipIf(Bun.which("minisign") === null)(
  "minisign believes our signatures, and we its",
  async () => {
    const verify = ["minisign", "-V", "-q", "-P", first.line, "-m", source];
    expect(Bun.spawnSync(verify).exitCode).toBe(0);
    const [trustedPath, secret] = ["known", "secret"].map((name) => join(folder, name));
    expect(
      Bun.spawnSync(["minisign", "-G", "-W", "-p", trustedPath!, "-s", secret!]).exitCode,
    ).toBe(0);
    const sign = ["minisign", "-S", "-s", secret!, "-t", validComment(), "-m", source];
    expect(Bun.spawnSync(sign).exitCode).toBe(0);
    const line = readFileSync(trustedPath!, "utf8").split("\n")[1]!;
    const { code, out } = await update(["--from", source, "--check"], { trustedKey: line });
    expect([code, out]).toEqual([0, expect.stringContaining("and signed")]);
  },
);
