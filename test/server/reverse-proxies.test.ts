// Runs each reverse proxy of the documentation page, except for ports and files.
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { startAttempt, SIGN_IN_BY_NETWORK } from "../../src/features/passwords/attempts.ts";
import { selfSigned } from "../../src/outbound/certificates/self-signed.ts";
import { countOf } from "../repetitions.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../docs/operate/proxies.md"), "utf8");
const MIB = 1_048_576;
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface ProxySettings {
  folder: string;
  port: number;
  /** Address of Skein. */
  backend: string;
}

/** Writes the page's configuration to a file, and returns the arguments of the proxy's command. */
type ConfigWriter = (configText: string, settings: ProxySettings) => string[];

const proxies: Readonly<Record<string, ConfigWriter>> = { nginx, caddy, haproxy };

function nginx(configText: string, { folder, port, backend }: ProxySettings): string[] {
  const site = configText
    .replace("listen 443 ssl", `listen ${port} ssl`)
    .replaceAll("/etc/ssl", folder)
    .replace("http://127.0.0.1:9400", `http://${backend}`);
  const spools = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const path = spools.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
  const head = `pid ${folder}/pid; error_log ${folder}/error.log notice; daemon off;`;
  const http = `http { access_log off; ${path} ${site} }`;
  const config = join(folder, "nginx.conf");
  writeFileSync(config, `${head} user root; events { worker_connections 1024; }\n${http}`);
  return ["-c", config, "-e", join(folder, "error.log")];
}

/** Adds a certificate, which Caddy would otherwise request from an authority. */
function caddy(configText: string, { folder, port, backend }: ProxySettings): string[] {
  const site = configText
    .replace("chat.example.org {", `https://chat.example.org:${port} {\n  tls PAIR`)
    .replace("PAIR", `${folder}/chat.pem ${folder}/chat.key`)
    .replace("127.0.0.1:9400", backend);
  const config = join(folder, "Caddyfile");
  const global = "{\n  admin off\n  auto_https off\n  default_sni chat.example.org\n}\n";
  writeFileSync(config, global + site);
  return ["run", "--config", config, "--adapter", "caddyfile"];
}

function haproxy(configText: string, { folder, port, backend }: ProxySettings): string[] {
  const config = join(folder, "haproxy.cfg");
  const site = configText
    .replace("bind :443", `bind :${port}`)
    .replace("/etc/ssl", folder)
    .replace("127.0.0.1:9400", backend);
  writeFileSync(config, site);
  return ["-f", config, "-db"];
}

/** Finds the program also outside of the PATH of users other than root. */
const programAt = (name: string) => Bun.which(name) ?? Bun.which(`/usr/sbin/${name}`);

async function startProxy(name: string, server: Pick<TestServer, "url">): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), `skein-${name}-`));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const pair = await selfSigned(["chat.example.org"], Date.now());
  writeFileSync(join(folder, "chat.pem"), pair.cert);
  writeFileSync(join(folder, "chat.key"), pair.key);
  writeFileSync(join(folder, "chat-with-key.pem"), pair.cert + pair.key);
  const free = Bun.listen({ hostname: "0.0.0.0", port: 0, socket: { data() {} } });
  const { port } = free;
  free.stop(true);
  const [, configText = ""] = new RegExp(`\`\`\`${name}\n([^]*?)\`\`\``).exec(PAGE) ?? [];
  const args = proxies[name]!(configText, { folder, port, backend: new URL(server.url).host });
  const child = Bun.spawn([programAt(name)!, ...args], {
    stdio: ["ignore", "ignore", "ignore"],
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  closing.push(() => {
    child.kill("SIGKILL");
    return child.exited;
  });
  while (!(await isReachable(port)) && child.exitCode === null) await Bun.sleep(50);
  return port;
}

const insecure = { tls: { rejectUnauthorized: false } } as RequestInit;
const Host = "chat.example.org";
const isReachable = (port: number) =>
  fetch(`https://127.0.0.1:${port}/livez`, { ...insecure, headers: { Host } }).then(
    () => true,
    () => false,
  );

/** An address of this machine that is not a loopback address. */
const address = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

/** Proxies that are not installed are skipped by name. */
const all = Object.keys(proxies).map((name) => [name, programAt(name) !== null] as const);
const [installed, required] = [true, false].map((condition) =>
  all.filter((item) => item[1] === condition).map(([name]) => name),
) as [string[], string[]];

test.skip.each(required)("%s is not installed", () => {});

test.each(installed)("%s allows long polls and large files", async (name) => {
  const testServer = await startTestServer({ url: "https://chat.example.org" });
  closing.push(() => testServer.close());
  const port = await startProxy(name, testServer);
  const headers = { Authorization: testServer.basicAuthorization("bo"), Host };
  const request = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`https://127.0.0.1:${port}${path}`, {
      ...insecure,
      headers,
      ...init,
    });
    return (await response.json()) as Record<string, never>;
  };
  const { queue_id, last_event_id } = await request("/api/v1/register", {
    method: "POST",
    body: new URLSearchParams({ event_types: '["message"]' }),
  });
  const poll = request(`/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`);
  const form = new FormData();
  form.set("file", new File([Buffer.alloc(99 * MIB)], "large.bin"));
  const uploaded = await request("/api/v1/user_uploads", { method: "POST", body: form });
  expect(uploaded).toMatchObject({ result: "success" });
  await testServer.request("olga", "POST /messages", {
    ...{ type: "direct", to: [testServer.idOf("bo")], content: "through a proxy" },
  });
  expect(JSON.stringify(await poll)).toContain("through a proxy");
});

/** Longer than Skein ever stays silent on a connection. */
const silence_ms = 1_000 * countOf("held_seconds");

test.each(silence_ms === 0 ? [] : installed)("%s waits long enough", async (name) => {
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    fetch: async ({ url }) => {
      if (!url.endsWith("/livez")) await Bun.sleep(silence_ms);
      return new Response("at last");
    },
  });
  closing.push(() => server.stop(true));
  const port = await startProxy(name, { url: server.url.href });
  const response = await fetch(`https://127.0.0.1:${port}/`, { ...insecure, headers: { Host } });
  expect([response.status, await response.text()]).toEqual([200, "at last"]);
});

test.each(address === undefined ? [] : installed)(
  "%s passes the client's address",
  async (name) => {
    const testServer = await startTestServer({
      url: "https://chat.example.org",
      rate_limits: true,
    });
    closing.push(() => testServer.close());
    const port = await startProxy(name, testServer);
    const statusOf = async (received: string) => {
      const body = new URLSearchParams({ username: "no@example.com", password: "wrong" });
      const headers = { Host, "X-Forwarded-For": received };
      const init = { ...insecure, method: "POST", headers, body };
      return (await fetch(`https://${address}:${port}/api/v1/fetch_api_key`, init)).status;
    };
    // A client has used up its sign-in attempts; another cannot claim its address in a header.
    for (let index = 0; index < SIGN_IN_BY_NETWORK.calls; index++) {
      startAttempt(testServer.realm, `name ${index}`, "203.0.113.9");
    }
    expect(await statusOf("203.0.113.9")).toBe(401);
    for (let index = 0; index < SIGN_IN_BY_NETWORK.calls - 1; index++) {
      startAttempt(testServer.realm, `other ${index}`, address!);
    }
    expect(await statusOf("203.0.113.10")).toBe(429);
  },
);
