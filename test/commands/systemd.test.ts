// `skein service`: the unit file, where it is installed, and what the server reports to systemd.
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unitOf } from "../../src/commands/systemd/unit.ts";
import { dataConflict } from "../../src/commands/systemd/unit-file.ts";
import { ProcessOutput } from "../process-output.ts";
import { MAIN, skein } from "./skein.ts";

let folder: string;
const children: Bun.Subprocess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-service-"));
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
    await child.exited;
  }
  rmSync(folder, { recursive: true, force: true });
});

const UNIT = "etc/systemd/system/skein.service";
const analyze = Bun.which("systemd-analyze");

test("install copies executable, unit and account; uninstall removes them", async () => {
  const executable = join(folder, "skein-linux-x64");
  writeFileSync(executable, "#!/bin/sh\n");
  const root = ["--root", folder];
  const installed = await skein(["service", "install", "--executable", executable, ...root]);
  expect(installed).toMatchObject({ code: 0, err: "" });
  expect(statSync(join(folder, "usr/local/bin/skein")).mode & 0o777).toBe(0o755);
  expect(readFileSync(join(folder, UNIT), "utf8")).toBe((await skein(["service", "print"])).out);
  expect(existsSync(join(folder, "etc/sysusers.d/skein.conf"))).toBe(true);
  expect(await skein(["service", "uninstall", ...root])).toMatchObject({ code: 0, err: "" });
  expect(existsSync(join(folder, UNIT))).toBe(false);
  expect((await skein(["service", "uninstall", ...root])).err).toContain("there is no");
  const itself = await skein(["service", "install", ...root], { isSource: true });
  expect([itself.code, itself.err]).toEqual([1, expect.stringContaining("is not an executable")]);
});

test("install --backup-to lets the service write to another directory", async () => {
  const executable = join(folder, "skein-linux-x64");
  writeFileSync(executable, "#!/bin/sh\n");
  const install = (to: string) =>
    skein(["service", "install", "--executable", executable, "--root", folder, "--backup-to", to]);
  const installResult = await install("/mnt/backups");
  expect([installResult.code, installResult.err]).toEqual([
    1,
    "skein: There is no directory /mnt/backups. Create it, or mount its disk first\n",
  ]);
  expect(existsSync(join(folder, UNIT))).toBe(false);
  expect((await install("/home/backups")).err).toContain("the service cannot access /home/backups");
  expect((await install("backups")).err).toContain("--backup-to must be an absolute path");
  mkdirSync(join(folder, "mnt/backups"), { recursive: true });
  const { code, out, err } = await install("/mnt/backups/");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain(": chown skein: ");
  const dropIn = readFileSync(join(folder, `${UNIT}.d/backups.conf`), "utf8");
  expect(dropIn).toContain("\nReadWritePaths=-/mnt/backups\n");
  expect(dropIn).toContain("\nEnvironment=SKEIN_BACKUP_TO=/mnt/backups\n");
  const settings = join(folder, "etc/skein/skein.toml");
  expect(readFileSync(settings, "utf8")).toContain('\ndata = "/var/lib/skein"\n');
  expect(readFileSync(settings, "utf8")).toContain("run systemctl edit skein");
  expect(statSync(settings).mode & 0o777).toBe(0o600);
  await skein(["service", "uninstall", "--root", folder]);
  expect(existsSync(join(folder, `${UNIT}.d/backups.conf`))).toBe(false);
});

test("detects settings with another data directory than that of the unit", () => {
  const unit = { path: UNIT, text: unitOf({ executable: "/usr/bin/skein" }), drop_ins: "" };
  const conflictWith = (data?: string, drop_ins = "") =>
    dataConflict({ ...unit, drop_ins }, data, "skein.toml")?.text;
  expect(conflictWith("/srv/skein")).toBe(
    "The service uses the data directory /var/lib/skein, because its unit sets SKEIN_DATA, " +
      "and ignores /srv/skein in skein.toml.",
  );
  expect([conflictWith(), conflictWith("/var/lib/skein/")]).toEqual([undefined, undefined]);
  const dropIn = '[Service]\nEnvironment="SKEIN_DATA=/srv/skein"\n';
  expect(conflictWith("/srv/skein", dropIn)).toBe(undefined);
  expect(conflictWith("/var/lib/skein", dropIn)).toStartWith("The service uses");
});

test("the unit allows backups to lower the priority of their threads", () => {
  const filters = unitOf({ executable: "/usr/bin/skein" }).match(/^SystemCallFilter=.*$/gm);
  // A line without ~ after the denied groups allows a call again.
  expect(filters).toEqual([
    "SystemCallFilter=@system-service",
    "SystemCallFilter=~@privileged @resources",
    "SystemCallFilter=setpriority",
  ]);
});

test.skipIf(analyze === null)("systemd accepts the unit, and rates it secure", async () => {
  const executable = join(folder, "skein");
  writeFileSync(executable, "#!/bin/sh\n", { mode: 0o755 });
  const unit = join(folder, "skein.service");
  writeFileSync(unit, (await skein(["service", "print", "--executable", executable])).out);
  const verified = Bun.spawnSync([analyze!, "verify", "--man=no", unit]);
  const lines = verified.stderr.toString().split("\n");
  expect(lines.filter((line) => line.includes("skein"))).toEqual([]);
  const rated = Bun.spawnSync([analyze!, "security", "--offline=true", "--no-pager", unit]);
  const [, exposure] =
    /exposure level for skein.service: ([\d.]+)/.exec(String(rated.stdout)) ?? [];
  expect(Number(exposure)).toBeLessThanOrEqual(2);
});

test.each(["path", "name"])(
  "systemd is notified of start, watchdog, reloads and stop at a %s",
  async (kind) => {
    const socket = kind === "path" ? join(folder, "notify") : `@${join(folder, "notify")}`;
    const listener = join(import.meta.dir, "datagram-socket.ts");
    const listening = Bun.spawn([process.execPath, listener, socket], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(listening);
    const processOutput = ProcessOutput.from(listening.stdout);
    await processOutput.untilMatch((lines) => lines.includes("bound"));
    const settings = join(folder, "skein.toml");
    writeFileSync(settings, "");
    const args = ["--data", join(folder, "data"), "--listen", "127.0.0.1:0", "--config", settings];
    const server = Bun.spawn([process.execPath, MAIN, "serve", ...args], {
      stdio: ["ignore", "ignore", "ignore"],
      env: { ...process.env, NOTIFY_SOCKET: socket, WATCHDOG_USEC: "200000" },
    });
    children.push(server);
    await processOutput.untilMatch((lines) =>
      /READY=1\nSTATUS=Serving at http[^]*WATCHDOG=1/.test(lines),
    );
    server.kill("SIGHUP");
    await processOutput.untilMatch((lines) =>
      /RELOADING=1\nMONOTONIC_USEC=\d+\nREADY=1\n/.test(lines),
    );
    writeFileSync(settings, "listen = 1");
    server.kill("SIGHUP");
    await processOutput.untilMatch((lines) =>
      lines.includes("STATUS=Serving; the settings were not changed: "),
    );
    server.kill("SIGTERM");
    await processOutput.untilMatch((lines) => /STOPPING=1\n/.test(lines));
    expect(await server.exited).toBe(0);
  },
);
