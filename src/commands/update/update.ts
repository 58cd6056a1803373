// `skein update`: replaces the executable by a signed newer one that was tried on the data.
import { accessSync, constants, existsSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DEFAULT_DATA } from "../../contract/config.ts";
import { TARGET, UPDATE_KEYS, VERSION } from "../../contract/version.ts";
import { command, CommandError, UsageError } from "../flags.ts";
import { isExecutable } from "../systemd/commands.ts";
import { bring, signatureOf } from "./fetch.ts";
import { signedIn, SignatureWrong } from "./signature.ts";
import { exchange, formerOf, replace, stagedOf } from "./swap.ts";
import { makeRunnable, tryOn, versionOf } from "./try.ts";

const COMMENT = /^skein (\S+) (\S+)/;

export const update = command({
  about: "replaces this executable with a newer, signed one",
  examples: [
    "skein update --from https://example.org/skein-linux-x64 --check",
    "sudo skein update --from ./skein-linux-x64 --data /var/lib/skein",
    "sudo skein update --back",
  ],
  flags: {
    from: { value: "FILE", about: "the new executable, or its address; .minisig is beside it" },
    data: { value: "DIR", default: DEFAULT_DATA, about: "the data directory, to try it on" },
    check: { about: "verifies it and tries it on a copy of the data, and changes nothing" },
    back: { about: "puts the executable before the last update in its place again" },
    executable: { value: "FILE", about: "what is replaced, if it is another than this one" },
  },
  notes: `Nothing is fetched that is not asked for. It asks on the terminal, and a server that runs
goes on with what it has until it is started again. The executable before is kept beside
the new one, as .previous.`,
  async run({ from, data, check, back, executable }) {
    const path = resolve(executable ?? itself());
    if (process.env["NOTIFY_SOCKET"]) throw new CommandError("a service does not update itself");
    if (!check && !process.stdin.isTTY) throw new CommandError("an update needs a terminal");
    checkIsOurs(path);
    if (back) return goBack(path);
    if (from === undefined) throw new UsageError("--from is missing");
    if (UPDATE_KEYS.length === 0) {
      throw new CommandError("this executable was built without keys, so no update can be known");
    }
    await goOn(from, path, { data: resolve(data), check });
  },
});

/** In a checkout, the running program is Bun. */
function itself(): string {
  if (isExecutable()) return process.execPath;
  throw new CommandError("this is no executable: name one with --executable");
}

/** Checks first that the file can be replaced. */
function checkIsOurs(path: string): void {
  if (!existsSync(path)) throw new CommandError(`there is no ${path}`);
  if (isPackaged(path))
    throw new CommandError(`${path} is of a package: install the newer package`);
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch {
    throw new CommandError(`${dirname(path)} cannot be written to: run it as who may, or by sudo`);
  }
}

/** Files that Debian's package manager installed. */
function isPackaged(path: string): boolean {
  if (Bun.which("dpkg-query") === null) return false;
  return Bun.spawnSync(["dpkg-query", "--search", path], { stderr: "ignore" }).success;
}

async function goOn(from: string, path: string, { data, check }: { data: string; check: boolean }) {
  const staged = stagedOf(path);
  rmSync(staged, { force: true });
  try {
    const { comment, check: isSigned } = signedIn(await signatureOf(from), UPDATE_KEYS);
    const version = newerIn(comment);
    if (version === undefined) return console.log(`Skein ${VERSION} is what runs already.`);
    isSigned(await bring(from, staged));
    makeRunnable(staged, path);
    const told = await versionOf(staged);
    if (told !== version) {
      throw new CommandError(`it says that it is ${told}, and its signature that it is ${version}`);
    }
    console.log(`${from} is Skein ${version}, and signed.`);
    if (existsSync(join(data, "data.mdb"))) await tryOn(staged, data);
    else console.log(`There is no organization in ${data} to try it on.`);
    if (check) return;
    if (!agreed(`Replace Skein ${VERSION} by ${version}?`)) return console.log("Nothing changed.");
    replace(path);
    console.log(`${path} is Skein ${version} now; ${formerOf(path)} is the one before.`);
    console.log("Start the server again to have it, by systemd: systemctl restart skein");
  } catch (error) {
    if (error instanceof SignatureWrong) throw new CommandError(`${from}: ${error.message}`);
    throw error;
  } finally {
    rmSync(staged, { force: true });
  }
}

/**
 * Returns the version in a signed comment; undefined if it is the running one. @throws if it is
 * older
 */
function newerIn(comment: string): string | undefined {
  const [, version = "", file = ""] = COMMENT.exec(comment) ?? [];
  if (file !== `skein-${TARGET}`) {
    throw new CommandError(`what is signed is ${file || "no Skein"}, and not skein-${TARGET}`);
  }
  const order = Bun.semver.order(version, VERSION);
  if (order < 0) throw new CommandError(`it is Skein ${version}, which is older than ${VERSION}`);
  return order === 0 ? undefined : version;
}

async function goBack(path: string): Promise<void> {
  const former = formerOf(path);
  if (!existsSync(former)) throw new CommandError(`no update has left a ${former}`);
  const version = await versionOf(former);
  if (!agreed(`Put Skein ${version} in its place again?`)) return console.log("Nothing changed.");
  exchange(path);
  console.log(`${path} is Skein ${version} again; what was there is ${former}.`);
  console.log("Where it refuses the data as newer: skein rollback, before it is started.");
}

function agreed(question: string): boolean {
  return /^y(es)?$/i.test(prompt(`${question} [y/N]`) ?? "");
}
