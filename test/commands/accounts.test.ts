// Commands that root runs on files of another account, such as that of the service.
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeReadable } from "../../src/commands/process/file-permissions.ts";
import { linesOf, skein as run } from "./skein.ts";

const TOML = join(import.meta.dir, "../../src/commands/config/toml.ts");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-accounts-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Only root can change owners. */
const asRoot = test.skipIf(process.geteuid?.() !== 0);
/** An account without a name. */
const SERVICE = 47_110;

const skein = (...args: string[]) => run(args, { isSource: true, env: { SKEIN_CONFIG: "none" } });

function pathOf(name: string, owner = 0): string {
  const path = join(folder, name);
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, owner, owner);
  return path;
}

function initIn(data: string) {
  const password = join(folder, "password");
  writeFileSync(password, "an uncommon sentence 77\n");
  const owner = ["--owner", "olga@example.com", "--full-name", "Olga", "--password-file", password];
  return skein("init", "--data", data, "--name", "Town", ...owner);
}

asRoot("init and serve as root write nothing into the empty directory of a service", async () => {
  const data = pathOf("service", SERVICE);
  const rejected = { code: 1, out: "", err: expect.stringContaining(` belongs to uid ${SERVICE}`) };
  expect(await initIn(data)).toEqual(rejected);
  const served = await skein("serve", "--data", data, "--listen", "127.0.0.1:0");
  expect(served).toEqual(rejected);
  expect(served.err).toContain(`Run: sudo -u '#${SERVICE}' skein serve --data ${data}`);
  const more = ["--url", "http://a.example.com", "--hosts", `b.example.com=${data}`];
  const own = pathOf("own");
  expect(await skein("serve", "--data", own, "--listen", "127.0.0.1:0", ...more)).toEqual(rejected);
  expect(await skein("doctor", "--data", data)).toEqual({ ...rejected, code: 2 });
  expect([readdirSync(data), readdirSync(own)]).toEqual([[], []]);
});

asRoot("doctor reports folders of another account", async () => {
  const data = pathOf("own");
  expect(await initIn(data)).toMatchObject({ code: 0 });
  mkdirSync(join(data, "uploads/files"), { recursive: true });
  const owner = async () => {
    const examined = await skein("doctor", "--data", data, "--only", "directory", "--json");
    return linesOf(examined).find(({ id }) => id === "directory.owner");
  };
  expect(await owner()).toMatchObject({ state: "ok" });
  chownSync(join(data, "uploads/files"), SERVICE, SERVICE);
  const message = "In the data directory, uploads/files belongs to another account.";
  expect(await owner()).toMatchObject({ state: "fail", message });
});

asRoot("the service gets settings of root that it cannot read, and no others", () => {
  const service = { name: "skein", uid: SERVICE, gid: SERVICE };
  const directory = pathOf("etc");
  const path = join(directory, "skein.toml");
  writeFileSync(path, "", { mode: 0o644 });
  makeReadable(path, service);
  expect(statSync(path).uid).toBe(0);
  expect(statSync(directory).mode & 0o777).toBe(0o755);
  chmodSync(path, 0o600);
  makeReadable(path, service);
  expect([statSync(path).uid, statSync(path).mode & 0o777]).toEqual([SERVICE, 0o600]);
  chownSync(path, SERVICE + 1, 0);
  expect(() => makeReadable(path, service)).toThrow(`Run: chown skein ${path}`);
});

asRoot("an account that cannot read settings of root is not told to run as root", async () => {
  chmodSync(folder, 0o755);
  const path = join(folder, "skein.toml");
  writeFileSync(path, "", { mode: 0o600 });
  const program = `
    import { readSettings } from ${JSON.stringify(TOML)};
    process.setgid(${SERVICE});
    process.setuid(${SERVICE});
    try { readSettings({}, ${JSON.stringify(path)}); } catch ({ message }) { console.log(message); }
  `;
  const { stdout } = Bun.spawnSync([process.execPath, "--eval", program]);
  expect(stdout.toString()).toBe(
    `Cannot open ${path}: permission denied. ` +
      `To let the account ${SERVICE} read it, run: sudo chown ${SERVICE} ${path}\n`,
  );
});
