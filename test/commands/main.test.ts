// The command line as a whole: which command runs, which stream it prints to, and exit codes.
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { NoFreeSpace } from "../../src/store/copy/copy.ts";
import { ProcessOutput } from "../process-output.ts";
import { linesOf, MAIN, skein } from "./skein.ts";

test.each([
  [[], "skein serve"],
  [["--version"], `Skein ${version}`],
  [["help"], "skein user create"],
  [["--help"], "skein init"],
  [["help", "serve"], "--listen HOST:PORT"],
  [["serve", "--listen", "x", "--help"], "[SKEIN_RATE_LIMITS]"],
  [["help", "serve"], "[SKEIN_OUTBOUND_ALLOW]"],
  [["user", "create", "-h"], "--from FILE"],
  [["user"], "skein user password"],
  [["help", "update"], "sudo skein update --from https://example.org/skein-linux-x64 --check"],
  [["user", "disable-2fa", "-h"], "two-factor authentication from an account"],
  [["user", "unguard", "-h"], "skein user disable-2fa"],
])("%p is answered with help", async (args, text) => {
  const { code, out, err } = await skein(args);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain(text);
});

test.each([
  [["frob"], "unknown command frob"],
  [["user", "frob"], "unknown command user frob"],
  [["serve", "--bogus"], "unknown flag --bogus. See: skein help serve"],
  [["serve", "--rate-limits", "maybe"], "--rate-limits must be on or off"],
  [["serve", "--web-public-streams", "1"], "--web-public-streams must be on or off"],
  [["serve", "--outbound-allow", "10.0.0.0/8,home"], "home is not an address range"],
  [
    ["config", "check", "--metrics", "9400"],
    "--metrics must use another port or host than --listen",
  ],
  [["serve", "--mail-dkim", "a key"], "--mail-dkim must be a list of selectors"],
  [["serve", "--dns-servers", "1.1.1.1,[::1]:53,dns"], "--dns-servers must be IP addresses"],
  [["serve", "--archive-days", "long"], "--archive-days must be a number of days"],
  [["init"], "--name is missing"],
  [["user", "create", "--from", "-", "--role", "guest"], "--from cannot be combined with"],
  [["user", "create", "--email", "a@b.c", "--full-name", "Aa", "--role", "boss"], "no role boss"],
])("%p is no command line", async (args, text) => {
  const { code, out, err } = await skein(args);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(text);
});

const FULL = "/dev/full";

test.skipIf(!existsSync(FULL)).each(["version", "man", "help", "config init --to -"])(
  "%s fails if its output cannot be written",
  async (line) => {
    const [written, ended] = await Promise.all([withOutput(line, FULL), withEndedReader(line)]);
    expect(written).toEqual([1, "skein: Cannot write the output: the disk is full\n"]);
    expect(ended).toEqual([0, ""]);
  },
);

/** Returns the exit code, and what the command prints to standard error. */
async function withOutput(line: string, path: string): Promise<[number, string]> {
  const child = Bun.spawn([process.execPath, MAIN, ...line.split(" ")], {
    stdio: ["ignore", Bun.file(path), "pipe"],
  });
  return Promise.all([child.exited, new Response(child.stderr).text()]);
}

async function withEndedReader(line: string): Promise<[number, string]> {
  const script = 'set -o pipefail; "$@" | true';
  const child = Bun.spawn(["bash", "-c", script, "-", process.execPath, MAIN, ...line.split(" ")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  return Promise.all([child.exited, new Response(child.stderr).text()]);
}

test("prints the version of the package", async () => {
  expect(linesOf(await skein(["version", "--json"]))[0]).toMatchObject({ version });
  expect((await skein(["version"])).out).toStartWith(`Skein ${version}`);
});

test("init prints commands that a shell runs as intended", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skein init's "));
  const quoted = `'${folder.replace("'", `'\\''`)}'`;
  const owner = ["--owner", "o@example.com", "--full-name", "Olga"];
  try {
    const { out } = await skein(["init", "--data", folder, "--name", "Town", ...owner]);
    expect(out).toContain(`skein user password --data ${quoted} --email o@example.com\n`);
    expect(out).toEndWith(`Next: skein serve --data ${quoted}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("sizes do not contradict each other", () => {
  expect(new NoFreeSpace("/srv", 700_000, 699_000).message).toBe(
    "/srv has 682.6 KiB of free space, but 683.6 KiB are needed; nothing was changed",
  );
  expect(new NoFreeSpace("/srv", 1_100_000, 1_090_000).message).toContain("1.0 MiB of free");
  expect(new NoFreeSpace("/srv", 1_100_000, 1_090_000).message).toContain("1.1 MiB are needed");
});

test("asks for the password twice on a terminal, without echo", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skein-terminal-"));
  const owner = ["--owner", "o@example.com", "--full-name", "Olga"];
  const init = ["init", "--data", folder, "--name", "Town", ...owner];
  try {
    const differing = await runWithInput(init, ["my secret\r", "my secrets\r"]);
    expect(differing).toContain("the two passwords are different");
    expect(await runWithInput(init, ["\u0003"])).toContain("no password was entered");
    const output = await runWithInput(init, ["my secrex\u007ft\r", "my secret\r"]);
    expect(output).toContain("Created the organization Town. Owner: o@example.com");
    expect(output).toContain(`skein serve --data ${folder}`);
    expect(output).not.toContain("secret");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Answers one prompt after the other; returns what the terminal displayed. */
async function runWithInput(args: string[], responses: string[]): Promise<string> {
  const output = new ProcessOutput();
  const rest = [...responses];
  const child = Bun.spawn([process.execPath, MAIN, ...args], {
    terminal: {
      data(terminal, bytes) {
        output.append(bytes);
        const prompts = output.textSoFar.match(/(Password|Again): /g)?.length ?? 0;
        while (rest.length > 0 && responses.length - rest.length < prompts) {
          terminal.write(rest.shift()!);
        }
      },
    },
  });
  await child.exited;
  child.terminal?.close();
  return output.textSoFar;
}
