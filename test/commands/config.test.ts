// Settings by flags, variables and files: precedence, and changes while the server runs.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary } from "../built-executable.ts";
import { MailServer } from "../mail/mail-server.ts";
import { listeningUrl, ProcessOutput } from "../process-output.ts";
import { linesOf, MAIN, Server, skein } from "./skein.ts";

let folder: string;
let file: string;
const servers: Server[] = [];
const started: Bun.Subprocess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-config-"));
  file = join(folder, "skein.toml");
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop("SIGKILL")));
  for (const child of started.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const write = (text: string, mode = 0o644) => {
  writeFileSync(file, text);
  chmodSync(file, mode);
};

/** Returns the settings that `config show` prints, by name. */
async function configOf(args: string[], env: Record<string, string> = {}) {
  const result = await skein(["config", "show", "--json", "--config", file, ...args], { env });
  expect(result.err).toBe("");
  return Object.fromEntries(
    linesOf(result).map(({ name, value, source }) => [name, { value, source }]),
  );
}

test("flags take precedence over variables, and these over the file", async () => {
  write(
    'listen = "127.0.0.1:1"\narchive_days = 7\nrate_limits = false\nproxies = ["10.0.0.0/8"]\n',
  );
  const env = { SKEIN_LISTEN: "127.0.0.1:2", SKEIN_ARCHIVE_DAYS: "8" };
  expect(await configOf(["--listen", "127.0.0.1:3"], env)).toMatchObject({
    listen: { value: "127.0.0.1:3", source: "--listen" },
    archive_days: { value: "8", source: "SKEIN_ARCHIVE_DAYS" },
    rate_limits: { value: "off", source: `rate_limits in ${file}` },
    proxies: { value: "10.0.0.0/8", source: `proxies in ${file}` },
    max_upload_mib: { value: "100", source: "default" },
  });
});

test("looks for a secret in several places in order, and does not print it", async () => {
  const mail = 'smtp_url = "smtp://me@mail.example"\nmail_from = "a@b.example"\n';
  write(`${mail}smtp_password = "one"\n`, 0o600);
  const credentials = join(folder, "smtp_password");
  const passwordOf = async (args: string[], env = {}) =>
    (await configOf(args, env))["smtp_password"];
  expect(await passwordOf([])).toEqual({ value: "***", source: `smtp_password in ${file}` });
  const other = join(folder, "other");
  writeFileSync(other, "two\n");
  const env: Record<string, string> = { SKEIN_SMTP_PASSWORD_FILE: other };
  expect(await passwordOf([], env)).toEqual({ value: "***", source: "SKEIN_SMTP_PASSWORD_FILE" });
  writeFileSync(credentials, "three");
  env["CREDENTIALS_DIRECTORY"] = folder;
  expect((await passwordOf([], env))?.source).toBe("the credential smtp_password");
  env["SKEIN_SMTP_PASSWORD"] = "four";
  expect((await passwordOf([], env))?.source).toBe("SKEIN_SMTP_PASSWORD");
  expect((await passwordOf(["--smtp-password-file", other], env))?.source).toBe(
    "--smtp-password-file",
  );
});

test("reads nightly backups from the file, and their keys elsewhere", async () => {
  const key = join(folder, "key");
  const paths = ["--backup-to", "s3://kept", "--backup-s3-endpoint", "https://s3.example"];
  const recipients = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";
  const check = () => skein(["config", "check", "--config", file, ...paths]);
  write(`backup_with_secrets = false\nbackup_recipients = "${recipients}"\n`);
  expect((await check()).err).toContain("SKEIN_BACKUP_S3_SECRET_ACCESS_KEY");
  writeFileSync(key, "secret\n");
  const secretFileSettings = ["backup_s3_access_key_id_file", "backup_s3_secret_access_key_file"];
  const files = secretFileSettings.map((name) => `${name} = "${key}"\n`).join("");
  write(`backup_with_secrets = false\nbackup_recipients = "${recipients}"\n${files}`);
  expect(await check()).toMatchObject({ code: 0 });
  expect(await configOf(paths)).toMatchObject({
    backup_with_secrets: { value: false, source: `backup_with_secrets in ${file}` },
    backup_s3_secret_access_key: { value: "***" },
  });
  write('backup_to = "/srv/kept"\nbackup_at = "25:00"\n');
  expect((await skein(["config", "check", "--config", file])).err).toContain(
    `backup_at in ${file} must be a time of day`,
  );
});

test.each([
  ["lissen = 1", "unknown setting lissen; did you mean listen?"],
  ["max-upload-mib = 1", "unknown setting max-upload-mib; did you mean max_upload_mib?"],
  ["frobnicate = 1", "unknown setting frobnicate. See"],
  ["listen = 9400", "must be a string in quotes"],
  ["rate_limits = 'off'", "must be true or false"],
  ["archive_days = 1.5", "must be a whole number"],
  ["proxies = 10", "must be a list such as"],
  ["https = ['a.example', 1]", "must be a list such as"],
  ["hosts = ['a=b']", "must be a table with lines such as"],
  ["archive_days = 123456", "archive_days in FILE must be a number of days"],
  ["listen = 'here'", "listen in FILE must be HOST:PORT"],
  ["listen = ", "FILE: TOML Parse error"],
  [
    "smtp_password = 'x'",
    "FILE contains smtp_password and can be read by other users. Run: chmod 600 FILE",
  ],
])("%p is no file of settings", async (text, message) => {
  write(text);
  const { code, err } = await skein(["config", "check", "--config", file]);
  expect(code).toBe(2);
  expect(err.replaceAll(file, "FILE")).toContain(message);
});

test.each([
  [{ SKEIN_LISSEN: "x" }, "unknown environment variable SKEIN_LISSEN; did you mean SKEIN_LISTEN?"],
  [{ SKEIN_ARCHIVE_DAYS: "soon" }, "skein: SKEIN_ARCHIVE_DAYS must be a number of days"],
  [{ SKEIN_CONFIG: "/none/such.toml" }, "/none/such.toml"],
])("the environment is not taken with %p", async (env, text) => {
  const { code, err } = await skein(["config", "check"], { env });
  expect([code, err]).toEqual([2, expect.stringContaining(text)]);
});

test("accepts a list of one as a string", async () => {
  write('https = "chat.example.org"\nproxies = "10.0.0.0/8"\n');
  expect(await skein(["config", "check", "--config", file])).toMatchObject({ code: 0, err: "" });
  expect(await configOf([])).toMatchObject({
    https: { value: "chat.example.org" },
    proxies: { value: "10.0.0.0/8" },
  });
});

test.skipIf(Bun.which("prlimit") === null)(
  "serve and config check refuse a limit of 64 open files",
  async () => {
    const binary = await builtBinary();
    const withArguments = async (...args: string[]) => {
      const command = ["prlimit", "--nofile=64:64", binary, ...args, "--config", "none"];
      const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe" });
      started.push(child);
      return [await child.exited, await new Response(child.stderr).text()];
    };
    const words = "skein: The limit of open files is 64, but Skein needs at least 128: ";
    const refusal = [1, expect.stringContaining(words)];
    const data = join(folder, "data");
    expect(await withArguments("serve", "--data", data, "--listen", "127.0.0.1:0")).toEqual(
      refusal,
    );
    expect(existsSync(data)).toBe(false);
    expect(await withArguments("config", "check")).toEqual(refusal);
  },
);

test("reports a lost secrets file, and doctor suggests a remedy", async () => {
  const data = join(folder, "data");
  const owner = ["--owner", "o@example.com", "--full-name", "Olga"];
  await skein(["init", "--data", data, "--config", "none", "--name", "Town", ...owner]);
  const secrets = async () => {
    const requests = [
      "doctor",
      "--data",
      data,
      "--config",
      "none",
      "--only",
      "directory",
      "--json",
    ];
    return linesOf(await skein(requests)).find(({ id }) => id === "directory.secrets");
  };
  expect(await secrets()).toBeUndefined();
  rmSync(join(data, "secrets"));
  const server = await Server.start(["--data", data, "--config", "none"]);
  servers.push(server);
  await server.printed.untilMatch((lines) => lines.includes("The file secrets was missing"));
  const secretSettings = await secrets();
  expect(secretSettings).toMatchObject({ state: "warn" });
  expect(secretSettings!["remedy"]).toContain(`delete ${join(data, "secrets-lost")}`);
  expect(existsSync(join(data, "secrets"))).toBe(true);
});

test("ignores variables of a container platform", async () => {
  const env = { SKEIN_SERVICE_HOST: "10.0.0.1", SKEIN_PORT_9400_TCP: "tcp://10.0.0.1:9400" };
  const checked = await skein(["config", "check", "--config", "none"], { env });
  expect(checked).toMatchObject({ code: 0, out: "The settings are valid.\n" });
});

test("init writes a file with every setting, which changes nothing", async () => {
  expect(await skein(["config", "init", "--to", file])).toMatchObject({ code: 0, err: "" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const plain = await skein(["config", "show", "--config", "none"]);
  expect((await skein(["config", "show", "--config", file])).out).toBe(plain.out);
  const names = Object.keys(JSON.parse((await skein(["config", "schema"])).out).properties);
  const text = await Bun.file(file).text();
  for (const name of names.filter((name) => !/_password$|_key$|_key_id$/.test(name))) {
    expect(text).toMatch(new RegExp(`^# ${name} = `, "m"));
  }
  const all = text.replace(/^# (?=[a-z0-9_]+ = (?!"…"))/gm, "");
  write(all, 0o600);
  expect(await skein(["config", "check", "--config", file])).toMatchObject({ code: 0, err: "" });
  expect((await skein(["config", "init", "--to", file])).err).toContain("already exists");
  expect(await Bun.file(file).text()).toBe(all);
});

test("show prints a file with the same settings", async () => {
  const args = [
    "--url",
    "http://a.example",
    "--proxies",
    "10.0.0.0/8,fd00::/8",
    "--archive-days=3",
  ];
  const hosts = ["--hosts", "b.example=/srv/b,c.example=/srv/c"];
  write((await skein(["config", "show", "--config", "none", "--sources", ...args, ...hosts])).out);
  const repeated = await configOf([]);
  expect(repeated).toMatchObject({
    url: { value: "http://a.example", source: `url in ${file}` },
    proxies: { value: "10.0.0.0/8,fd00::/8" },
    hosts: { value: "b.example=/srv/b,c.example=/srv/c" },
  });
  expect(repeated["listen"]!.source).toBe("default");
});

test("a reload applies live settings, and nothing of invalid ones", async () => {
  const mailServer = await MailServer.open({ authOptional: true, disabledCommands: ["STARTTLS"] });
  try {
    const data = ["--data", join(folder, "data"), "--config", file];
    write("");
    const owner = ["--owner", "o@example.com", "--full-name", "Olga"];
    await skein(["init", ...data, "--name", "Town", ...owner]);
    const server = await Server.start(data);
    servers.push(server);
    // These commands must not read the server's settings file.
    const minimalArguments = [...data.slice(0, 2), "--config", "none"];
    const email = () => skein(["mail", "test", ...minimalArguments, "--to", "op@example.com"]);
    const reload = () => skein(["reload", ...minimalArguments, "--json"]);
    expect((await email()).err).toContain("no mail server is configured");

    write("archive_days = 'soon'\n");
    const refusal = await reload();
    expect([refusal.code, refusal.err]).toEqual([
      1,
      `skein: archive_days in ${file} must be a whole number\n`,
    ]);
    write("rate_limits = true\nsmtp_url = 'http://x'\nmail_from = 'a@b.example'\n");
    expect((await reload()).err).toContain(`skein: smtp_url in ${file} must be smtp://`);
    write(`log_level = "error"
      smtp_url = "smtp://127.0.0.1:${mailServer.port}"
      mail_from = "a@b.example"
      max_upload_mib = 7
      web_public_streams = true`);
    expect(linesOf(await reload())).toEqual([
      { applied: ["mail", "log_level"], needs_restart: ["web_public_streams", "max_upload_mib"] },
    ]);
    expect((await email()).out).toContain("accepted the email to op@example.com");
    expect(linesOf(await reload())).toEqual([
      { applied: [], needs_restart: ["web_public_streams", "max_upload_mib"] },
    ]);
    write("");
    expect(linesOf(await reload())).toMatchObject([{ applied: ["mail", "log_level"] }]);
    expect((await email()).err).toContain("no mail server is configured");
  } finally {
    await mailServer.close();
  }
});

test("reports health, and raises the log level temporarily", async () => {
  const minimalArguments = ["--data", join(folder, "data"), "--config", "none"];
  const server = await Server.start(minimalArguments);
  servers.push(server);
  const requested = await skein(["health", ...minimalArguments, "--json"]);
  expect(linesOf(requested)).toEqual([{ url: server.url, refused: [], damaged: [] }]);
  const louder = await skein([
    "log-level",
    ...minimalArguments,
    "--level",
    "debug",
    "--minutes",
    "1",
  ]);
  expect(louder).toMatchObject({ code: 0, err: "" });
  // After `log-level`, a reload applies no setting.
  expect(linesOf(await skein(["reload", ...minimalArguments, "--json"]))).toMatchObject([
    { applied: [] },
  ]);
  const wrong = await skein(["log-level", ...minimalArguments, "--level", "loud"]);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--level must be one of")]);
  await server.stop();
  expect((await skein(["health", ...minimalArguments])).code).toBe(1);
});

test("logs each request at debug, without secrets", async () => {
  const args = ["--data", join(folder, "data"), "--listen", "127.0.0.1:0", "--config", "none"];
  const child = Bun.spawn([process.execPath, MAIN, "serve", ...args, "--log-level", "debug"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    const log = ProcessOutput.from(child.stderr);
    const url = await listeningUrl(ProcessOutput.from(child.stdout));
    await fetch(`${url}/setup/very-secret?api_key=also`);
    const line = await log.untilMatch((lines) => /^.*"request".*$/m.exec(lines)?.[0]);
    expect(JSON.parse(line)).toMatchObject({ level: "debug", method: "GET", route: "/setup/{}" });
    expect(log.textSoFar).not.toContain("secret");
    expect(log.textSoFar).not.toContain("also");
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
});

test("rejects a reload without a server", async () => {
  const { code, err } = await skein(["reload", "--data", folder]);
  expect([code, err]).toEqual([1, `skein: no server is running on ${folder}\n`]);
  expect(existsSync(join(folder, "control.sock"))).toBe(false);
});
