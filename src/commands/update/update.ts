// `skein update`: replaces the executable by a signed newer one that was tried on the data.
import { accessSync, constants, existsSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DEFAULT_DATA } from "../../contract/config.ts";
import { TARGET, UPDATE_KEYS, VERSION } from "../../contract/version.ts";
import { command, CommandError, UsageError } from "../flags.ts";
import { isExecutable } from "../systemd/commands.ts";
import { fetchExecutable, signatureOf } from "./fetch.ts";
import { signedIn, SignatureWrong } from "./signature.ts";
import { exchange, formerOf, replace, stagedOf } from "./swap.ts";
import { makeRunnable, tryOnData, versionOf } from "./try.ts";

const COMMENT = /^skein (\S+) (\S+)/;

export const update = command({
  description: "replaces this executable with a newer, signed one",
  examples: [
    "sudo skein update --from https://example.org/skein-linux-x64 --check",
    "sudo skein update --from ./skein-linux-x64 --data /var/lib/skein",
    "sudo skein update --back",
  ],
  flags: {
    from: {
      value: "FILE",
      description:
        "the new executable, or its URL; the signature is expected at the same place with .minisig",
    },
    data: {
      value: "DIR",
      default: DEFAULT_DATA,
      description: "data directory to try the new executable on",
    },
    check: {
      description: "verify the executable and try it on a copy of the data, without installing it",
    },
    back: { description: "reinstall the executable from before the last update" },
    executable: { value: "FILE", description: "the executable to replace (default: this one)" },
  },
  notes: `Nothing is downloaded automatically. The command asks for confirmation on the terminal. A
running server uses the new executable after a restart. The old executable is kept beside the
new one, as .previous. With --check, the new executable is written beside the old one, and
deleted afterwards.`,
  async run({ from, data, check, back, executable }) {
    const path = resolve(executable ?? ownPath());
    if (process.env["NOTIFY_SOCKET"]) throw new CommandError("a service cannot update itself");
    if (!check && !process.stdin.isTTY) throw new CommandError("an update needs a terminal");
    checkCanReplace(path);
    if (back) return restorePrevious(path);
    if (from === undefined) throw new UsageError("--from is missing");
    if (UPDATE_KEYS.length === 0) {
      throw new CommandError(
        "this executable was built without update keys, so it cannot verify updates",
      );
    }
    await install(from, path, { data: resolve(data), check });
  },
});

/** In a checkout, the running program is Bun. */
function ownPath(): string {
  if (isExecutable()) return process.execPath;
  throw new CommandError("this is not an executable of Skein: pass one with --executable");
}

/** Checks first that the file can be replaced. */
function checkCanReplace(path: string): void {
  if (!existsSync(path)) throw new CommandError(`there is no ${path}`);
  if (isPackaged(path))
    throw new CommandError(`${path} belongs to a package: install the newer package`);
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch {
    throw new CommandError(`cannot write to ${dirname(path)}: run the command with sudo`);
  }
}

/** Files that Debian's package manager installed. */
function isPackaged(path: string): boolean {
  if (Bun.which("dpkg-query") === null) return false;
  return Bun.spawnSync(["dpkg-query", "--search", path], { stderr: "ignore" }).success;
}

async function install(
  from: string,
  path: string,
  { data, check }: { data: string; check: boolean },
) {
  const staged = stagedOf(path);
  rmSync(staged, { force: true });
  try {
    const { comment, check: isSigned } = signedIn(await signatureOf(from), UPDATE_KEYS);
    const version = newerIn(comment);
    if (version === undefined) return console.log(`Skein ${VERSION} is already installed.`);
    isSigned(await fetchExecutable(from, staged));
    makeRunnable(staged, path);
    const text = await versionOf(staged);
    if (text !== version) {
      throw new CommandError(`it reports version ${text}, but its signature says ${version}`);
    }
    console.log(`${from} is Skein ${version}, with a valid signature.`);
    // Throws if this account may not read the directory, in which existsSync finds nothing.
    if (statSync(join(data, "data.mdb"), { throwIfNoEntry: false })) await tryOnData(staged, data);
    else console.log(`${data} contains no organization to try it on.`);
    if (check) return;
    if (!confirm(`Replace Skein ${VERSION} with ${version}?`))
      return console.log("Nothing changed.");
    replace(path);
    console.log(
      `Installed Skein ${version} as ${path}; the previous version is ${formerOf(path)}.`,
    );
    console.log("To use it, restart the server; with systemd: systemctl restart skein");
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
    throw new CommandError(
      `the signature is for ${file || "another file"}, not for skein-${TARGET}`,
    );
  }
  const order = Bun.semver.order(version, VERSION);
  if (order < 0) throw new CommandError(`it is Skein ${version}, which is older than ${VERSION}`);
  return order === 0 ? undefined : version;
}

async function restorePrevious(path: string): Promise<void> {
  const former = formerOf(path);
  if (!existsSync(former)) throw new CommandError(`there is no ${former} from an earlier update`);
  const version = await versionOf(former);
  if (!confirm(`Reinstall Skein ${version}?`)) return console.log("Nothing changed.");
  exchange(path);
  console.log(`Reinstalled Skein ${version} as ${path}; the replaced version is ${former}.`);
  console.log("If it rejects the data as too new, run skein rollback before you start it.");
}

function confirm(question: string): boolean {
  return /^y(es)?$/i.test(prompt(`${question} [y/N]`) ?? "");
}
