// Runs the documented commands about a running server, page by page, in order.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Authority } from "../acme-authority.ts";
import { builtBinary } from "../built-executable.ts";
import { listeningUrl, ProcessOutput } from "../process-output.ts";
import { commandsOf } from "./page-commands.ts";

let folder: string;
let servers: Bun.Subprocess<"ignore", "pipe", "ignore">[];

beforeEach(async () => {
  servers = [];
  folder = mkdtempSync(join(tmpdir(), "skein-served-"));
  const owner = ["--owner", "ada@example.org", "--full-name", "Ada Owner"];
  expect(await runCommand(["skein", "init", "--name", "Town", ...owner])).toMatchObject({
    code: 0,
  });
});
afterEach(async () => {
  await stopServers();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command in a directory of its own, where `skein` finds its initial data. */
async function runCommand([program = "", ...args]: readonly string[]) {
  const executable = program === "skein" ? await builtBinary() : program;
  const child = Bun.spawn([executable, ...args], { cwd: folder, stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}

async function stopServers(): Promise<void> {
  for (const server of servers.splice(0)) {
    server.kill("SIGTERM");
    await server.exited;
  }
}

/** Replaces the previous server. Uses free ports, since the page's ports may be in use. */
async function startServing([, ...args]: readonly string[], extra: readonly string[] = []) {
  await stopServers();
  const index = args.indexOf("--listen");
  if (index >= 0) args.splice(index, 2);
  const fullCommand = [await builtBinary(), ...args, "--listen", "127.0.0.1:0", ...extra];
  const server = Bun.spawn(fullCommand, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  servers.push(server);
  const printed = ProcessOutput.from(server.stdout);
  const url = await listeningUrl(printed);
  await printed.untilMatch((lines) => /^Users can sign in/m.test(lines));
  return { url, printed };
}

const wordsOf = (line: string) => line.split(" ");

async function runLine(line: string): Promise<string> {
  const { code, out, err } = await runCommand(wordsOf(line));
  expect([line, code, err]).toEqual([line, 0, ""]);
  return out;
}

/** Writes a self-signed certificate and its key to the files that the page names. */
function writeKeyPair(): void {
  const own = join(folder, "skein-data", "tls", "self.pem");
  for (const name of ["chain.pem", "key.pem"]) cpSync(own, join(folder, name));
}

const readyStatus = async (url: string) =>
  (await fetch(`${url}/readyz`, { tls: { rejectUnauthorized: false } })).status;

test("https.md: from an authority, from files, and self-signed", async () => {
  await using authority = await openAuthority();
  const [issued, ...rest] = commandsOf("docs/operate/https.md", true);
  expect(rest.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
    "skein cert",
    "skein cert",
    "skein serve",
    "skein serve",
    "skein reload",
  ]);
  const [status = "", renew = "", ofFiles = "", atHome = "", reload = ""] = rest;
  const acme = ["--acme-url", authority.own.url, "--http", "127.0.0.1:0"];
  const { printed } = await startServing(wordsOf(issued!), acme);
  const plain = await printed.untilMatch((lines) => {
    return /^Requests to (\S+) without TLS/m.exec(lines)?.[1];
  });
  authority.own.lookAt(plain);
  expect(await runLine(renew)).toContain("The certificate for chat.example.org");
  expect(await runLine(status)).not.toContain("server's own");

  expect(await readyStatus((await startServing(wordsOf(atHome))).url)).toBe(200);
  expect(await runLine(status)).toContain("It is self-signed");
  writeKeyPair();
  expect(await readyStatus((await startServing(wordsOf(ofFiles))).url)).toBe(200);
  await runLine(reload);
});

async function openAuthority() {
  const own = await Authority.open();
  return { own, [Symbol.asyncDispose]: () => own.close() };
}

test("insight.md: metrics, log, and health", async () => {
  const lines = commandsOf("docs/operate/insight.md", true);
  const free = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const port = String(free.port);
  await free.stop(true);
  for (const line of lines) {
    const localLine = line.replaceAll("9401", port);
    if (line.startsWith("skein serve")) await startServing(wordsOf(localLine));
    else if (line.startsWith("curl"))
      expect(await runLine(localLine)).toContain("skein_build_info");
    else await runLine(localLine);
  }
  expect(lines).toContain("skein health");
  expect(lines.filter((line) => line.startsWith("skein serve"))).toHaveLength(2);
});

test("service.md: installs the unit, changes settings, and uninstalls", async () => {
  const lines = commandsOf("docs/operate/service.md", true);
  mkdirSync(join(folder, "etc/skein"), { recursive: true });
  mkdirSync(join(folder, "var/lib"), { recursive: true });
  renameSync(join(folder, "skein-data"), join(folder, "var/lib/skein"));
  const received = new Map<string, string>();
  for (const line of lines) {
    const isComplete = /^skein service (un)?install/.test(line);
    // On a machine with the service, the settings file contains the data directory.
    const path = line === "skein user list" ? `${line} --data /var/lib/skein` : line;
    const localLine = isComplete
      ? `${line} --root ${folder}`
      : path.replaceAll(/ (\/(?:etc|var)\/)/g, ` ${folder}$1`);
    received.set(line, await runLine(localLine));
    if (line === "skein service install") {
      expect(existsSync(join(folder, "etc/systemd/system/skein.service"))).toBe(true);
    }
  }
  expect(received.get("skein service print")).toContain("ExecStart=/usr/local/bin/skein");
  expect(received.get("skein user list")).toContain("ada@example.org");
  expect(existsSync(join(folder, "etc/skein/skein.toml"))).toBe(true);
  expect(existsSync(join(folder, "etc/systemd/system/skein.service"))).toBe(false);
  expect(existsSync(join(folder, "var/lib/skein/data.mdb"))).toBe(true);
});
