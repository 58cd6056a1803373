// The page on reverse proxies: its nginx, run as written but for ports and files, before a server.
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selfSigned } from "../../src/outbound/certificates/self-signed.ts";
import { openTown, type Town } from "../town.ts";

const PAGE = join(import.meta.dir, "../../docs/operate/proxies.md");
const nginx = Bun.which("nginx") ?? ["/usr/sbin/nginx"].find((path) => Bun.which(path) !== null);
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function proxied(town: Town): Promise<{ url: string; ca: string }> {
  const folder = mkdtempSync(join(tmpdir(), "skein-nginx-"));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const pair = await selfSigned(["chat.example.org"], Date.now());
  const free = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = free;
  free.stop(true);
  writeFileSync(join(folder, "chat.pem"), pair.cert);
  writeFileSync(join(folder, "chat.key"), pair.key);
  const [, written = ""] = /```nginx\n([^]*?)```/.exec(readFileSync(PAGE, "utf8")) ?? [];
  const site = written
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replaceAll("/etc/ssl", folder)
    .replace("http://127.0.0.1:9400", town.url);
  const spools = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const places = spools.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
  const config = join(folder, "nginx.conf");
  const head = `pid ${folder}/pid; error_log ${folder}/error.log notice; daemon off;`;
  const http = `http { access_log off; ${places} ${site} }`;
  writeFileSync(config, `${head} user root; events { worker_connections 1024; }\n${http}`);
  const child = Bun.spawn([nginx!, "-c", config, "-e", join(folder, "error.log")], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  closing.push(() => {
    child.kill("SIGTERM");
    return child.exited;
  });
  const url = `https://127.0.0.1:${port}`;
  while (!(await reaches(url)) && child.exitCode === null) await Bun.sleep(50);
  return { url, ca: pair.cert };
}

const insecure = { tls: { rejectUnauthorized: false } } as RequestInit;
const reaches = (url: string) =>
  fetch(`${url}/livez`, insecure).then(
    () => true,
    () => false,
  );

test.skipIf(nginx === undefined)("nginx lets polls wait and files through", async () => {
  const town = await openTown({ url: "https://chat.example.org" });
  closing.push(() => town.close());
  const { url } = await proxied(town);
  const headers = { Authorization: town.basic("bo"), Host: "chat.example.org" };
  const ask = async (path: string, init: RequestInit = {}) =>
    (await (await fetch(url + path, { ...insecure, headers, ...init })).json()) as Record<
      string,
      never
    >;
  const { queue_id, last_event_id } = await ask("/api/v1/register", {
    method: "POST",
    body: new URLSearchParams({ event_types: '["message"]' }),
  });
  const held = ask(`/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`);
  const form = new FormData();
  form.set("file", new File([Buffer.alloc(20 * 1_048_576)], "large.bin"));
  const uploaded = await ask("/api/v1/user_uploads", { method: "POST", body: form });
  expect(uploaded).toMatchObject({ result: "success" });
  await town.ask("olga", "POST /messages", {
    ...{ type: "direct", to: [town.idOf("bo")], content: "through a proxy" },
  });
  expect(JSON.stringify(await held)).toContain("through a proxy");
});
