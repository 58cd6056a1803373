/** The built executable runs alone, without node_modules or an environment. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { BYTECODE_ORDER, WORKERS } from "../build.ts";
import { version } from "../package.json";
import { Authenticator } from "./authenticator.ts";
import { builtBinary } from "./built-executable.ts";
import { Browser, PASSWORD } from "./browser.ts";
import { avif } from "./pictures/avif-encoder.ts";
import { listeningUrl, ProcessOutput } from "./process-output.ts";

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-alone-"));
  copyFileSync(await builtBinary(), join(folder, "skein"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the executable contains no folder of the build machine", () => {
  const modules = resolve(import.meta.dir, "../node_modules");
  expect(readFileSync(join(folder, "skein")).includes(modules)).toBe(false);
});

test("the executable knows its version", async () => {
  const child = spawnExecutable("version", "--json");
  const response = await new Response(child.stdout).json();
  expect(response).toMatchObject({ version });
  expect(await child.exited).toBe(0);
});

test("the executable contains the licenses of its parts", async () => {
  const child = spawnExecutable("licenses");
  const notice = readFileSync(resolve(import.meta.dir, "../NOTICE.txt"), "utf8");
  expect(await new Response(child.stdout).text()).toBe(notice);
  expect(await child.exited).toBe(0);
});

test("the executable serves from an empty folder and stops cleanly", async () => {
  const child = spawnExecutable("serve", "--data", join(folder, "data"), "--listen", "127.0.0.1:0");
  try {
    const url = await listeningUrl(ProcessOutput.from(child.stdout));
    expect(await statusOf(`${url}/readyz`)).toBe(200);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  } finally {
    child.kill("SIGKILL");
  }
});

test("the bytecode order contains most functions of a start", async () => {
  const path = join(folder, "order");
  const options = ["--data", join(folder, "ordered"), "--listen", "127.0.0.1:0"];
  const child = Bun.spawn([join(folder, "skein"), "serve", ...options], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { BUN_BYTECODE_ORDER_OUT: path },
  });
  const url = await listeningUrl(ProcessOutput.from(child.stdout));
  expect(await statusOf(`${url}/readyz`)).toBe(200);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  const functionsIn = (record: string) => new Set(readFileSync(record, "utf8").match(/^F .*$/gm));
  const used = functionsIn(path);
  const isCurrent = used.intersection(functionsIn(BYTECODE_ORDER)).size > used.size * 0.6;
  expect(isCurrent, "Record it again: bun packaging/bytecode-order.ts").toBe(true);
});

test("code is compiled as usual after the start of each thread", () => {
  for (const path of ["src/main.ts", "src/commands/serve.ts", ...Object.values(WORKERS)]) {
    const source = readFileSync(resolve(import.meta.dir, "..", path), "utf8");
    expect(source, path).toContain("Bun.unsafe.setJITPolicy(1);");
  }
});

test("the executable serves two organizations, each at its host", async () => {
  const hosts = `west.example.com=${join(folder, "west")}`;
  const where = ["--data", join(folder, "east"), "--listen", "127.0.0.1:0"];
  const child = spawnExecutable(
    "serve",
    ...where,
    "--url",
    "http://east.example.com",
    "--hosts",
    hosts,
  );
  try {
    const url = await listeningUrl(ProcessOutput.from(child.stdout));
    expect(await statusOf(`${url}/readyz`)).toBe(200);
    for (const name of ["east", "west"]) {
      const person = ["--owner", "olga@example.com", "--full-name", "Olga"];
      const created = spawnExecutable(
        "init",
        "--data",
        join(folder, name),
        "--name",
        name,
        ...person,
      );
      expect(await created.exited).toBe(0);
      const headers = { Host: `${name}.example.com` };
      const response = await fetch(`${url}/api/v1/server_settings`, { headers });
      const realm_url = `http://${name}.example.com`;
      expect(await response.json()).toMatchObject({ realm_name: name, realm_url });
      await expectClient(url, headers);
    }
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  } finally {
    child.kill("SIGKILL");
  }
});

test("the executable scales an AVIF with its decoder", async () => {
  const data = ["--data", join(folder, "pictures")];
  const person = ["--owner", "olga@example.com", "--full-name", "Olga"];
  const created = spawnExecutable("init", ...data, "--name", "Pictures", ...person, "--json");
  const { api_key } = (await new Response(created.stdout).json()) as { api_key: string };
  const child = spawnExecutable("serve", ...data, "--listen", "127.0.0.1:0");
  try {
    const url = await listeningUrl(ProcessOutput.from(child.stdout));
    expect(await statusOf(`${url}/readyz`)).toBe(200);
    const headers = { Authorization: `Basic ${btoa(`olga@example.com:${api_key}`)}` };
    const body = new FormData();
    body.append("file", new File([await avif(600, 300)], "a.avif", { type: "image/avif" }));
    const post = { method: "POST", headers, body };
    const uploaded = await fetch(`${url}/api/v1/user_uploads`, post);
    const { url: path } = (await uploaded.json()) as { url: string };
    const thumbnailUrl = `${url}${path.replace("uploads/", "uploads/thumbnail/")}/840x560.webp`;
    const bytes = await (await fetch(thumbnailUrl, { headers })).bytes();
    expect(await new Bun.Image(bytes).metadata()).toMatchObject({ width: 600, format: "webp" });
  } finally {
    child.kill("SIGKILL");
  }
});

test("the executable renders QR codes, and supports passkeys", async () => {
  const data = join(folder, "guarded");
  const file = join(folder, "password");
  writeFileSync(file, `${PASSWORD}\n`);
  const person = ["--owner", "bo@example.com", "--full-name", "Bo", "--password-file", file];
  const created = spawnExecutable("init", "--data", data, "--name", "Town", ...person);
  expect(await created.exited).toBe(0);
  const child = spawnExecutable("serve", "--data", data, "--listen", "127.0.0.1:0");
  try {
    const url = await listeningUrl(ProcessOutput.from(child.stdout));
    expect(await statusOf(`${url}/readyz`)).toBe(200);
    await expectPasskeys(new Browser({ url }), new Browser({ url }), new Authenticator(url));
  } finally {
    child.kill("SIGKILL");
  }
});

/** The client is included, and served in any requested encoding. */
async function expectClient(url: string, headers: Record<string, string>) {
  const html = await (await fetch(`${url}/`, { headers })).text();
  const path = /<script type="module" src="([^"]+)">/.exec(html)![1]!;
  const texts = ["br", "gzip", "identity"].map(async (encoding) => {
    const params = { headers: { ...headers, "Accept-Encoding": encoding } };
    const response = await fetch(url + path, params);
    const used = response.headers.get("content-encoding") ?? "identity";
    return [used, (await response.text()).length] as const;
  });
  const received = await Promise.all(texts);
  expect(received.map(([used]) => used)).toEqual(["br", "gzip", "identity"]);
  expect(new Set(received.map(([, length]) => length)).size).toBe(1);
}

async function expectPasskeys(first: Browser, second: Browser, key: Authenticator) {
  await first.signIn("bo");
  await first.open("/account/");
  expect((await first.submit("/account/app/", { password: PASSWORD })).text).toContain("<svg");
  const create = { name: "Key", password: PASSWORD };
  const { options, ticket } = await first.postJson("/account/passkeys/options/", create);
  const credential = await key.create(options);
  await first.open("/account/");
  expect((await first.submit("/account/passkeys/", { ticket, credential, ...create })).status).toBe(
    200,
  );
  const half = await second.signIn("bo");
  const own = { ticket: /name="ticket" value="([^"]+)"/.exec(half.text)![1]! };
  const requested = await second.postJson("/accounts/login/passkey/options/", own);
  const shown = await key.get(requested.options);
  const csrfmiddlewaretoken = second.csrf;
  const body = new URLSearchParams({ ...own, credential: shown, csrfmiddlewaretoken });
  expect((await second.send("POST", "/accounts/login/passkey/", body)).location).toBe("/");
}

function spawnExecutable(...args: string[]) {
  const env = { HOME: folder, TMPDIR: folder };
  return Bun.spawn(["./skein", ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Returns the status of a response; a server that has printed its address responds. */
async function statusOf(url: string) {
  return (await fetch(url)).status;
}
