// External images and videos are proxied by the server, which fetches them at first view.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { createServer, type Server, type ServerResponse } from "node:http";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { HOST_RATE, CACHE_SECONDS } from "../../src/features/external-content/rules.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { read, striped } from "./upload-fixture.ts";
import { until } from "../wait-until.ts";

let testServer: TestServer;
let site: Server;
let url: string;
let requests: string[];
/** Responses wait for this promise. */
let open: Promise<void>;
beforeAll(async () => {
  site = createServer((request, response) => {
    requests.push(request.url!);
    void open.then(() => answer(request.url!, response));
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(site.address() as { port: number }).port}`;
});
afterAll(() => {
  site.closeAllConnections();
  site.close();
});
beforeEach(async () => {
  requests = [];
  open = Promise.resolve();
  testServer = await startTestServer({ outbound_allow: ["127.0.0.1"] });
});
afterEach(() => testServer.close());

const picture = striped(40, 30);
/** Starts like a video; the rest is arbitrary data. */
const video = Buffer.concat([
  Buffer.from("\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41"),
  Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251)),
]);
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const BODIES: Record<string, string | Uint8Array> = {
  "/a.png": picture,
  "/b.png": striped(3, 2),
  "/film.mp4": video,
  "/svg.png": svg,
  "/page.png": "<html><script>alert(1)</script>",
};

function answer(path: string, response: ServerResponse): void {
  if (path === "/moved.png") return void response.writeHead(302, { Location: "/a.png" }).end();
  if (path === "/inside.png") {
    return void response.writeHead(302, { Location: "http://10.0.0.1/a.png" }).end();
  }
  if (path === "/long.png") {
    response.writeHead(200, { "Content-Length": 17 * 1_048_576 });
    return void response.end(
      Buffer.concat([picture, Buffer.alloc(17 * 1_048_576 - picture.length)]),
    );
  }
  const body = BODIES[path.split("?", 1)[0]!];
  response.writeHead(body ? 200 : 404, { "Content-Type": "image/png", "Set-Cookie": "a=b" });
  response.end(body);
}

async function post(content: string): Promise<number> {
  const to = { type: "stream", to: "general", topic: "pictures" };
  return (await testServer.request("bo", "POST /messages", { ...to, content })).id;
}
const htmlOf = async (id: number): Promise<string> =>
  (await testServer.request("bo", `GET /messages/${id}`)).message.content;
const EXTERNAL_PATH = /\/external_content\/[0-9a-f]{64}\/[0-9a-f]+/g;
const hexOf = (address: string) => Buffer.from(address).toString("hex");

/** Returns the path at which the server proxies an external URL. */
async function proxiedPath(address: string): Promise<string> {
  const { rendered } = await testServer.request("bo", "POST /messages/render", {
    content: address,
  });
  const [path] = (rendered as string).match(EXTERNAL_PATH)!;
  expect(path!.split("/")[3]).toBe(hexOf(address));
  return path!;
}

test("fetches an image at the first view, and only once", async () => {
  const id = await post(`${url}/a.png`);
  const html = await htmlOf(id);
  const path = await proxiedPath(`${url}/a.png`);
  expect(html).toBe(
    `<div class="message_inline_image"><a href="${url}/a.png"><img src="${path}"></a></div>`,
  );
  expect(requests).toEqual([]);
  const looks = await Promise.all([1, 2, 3].map(() => read(testServer, null, path)));
  for (const response of looks) expect(await response.bytes()).toEqual(picture);
  expect(requests).toEqual(["/a.png"]);
  const { headers, status } = await read(testServer, null, path);
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("image/png");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("content-security-policy")).toContain("sandbox");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.has("set-cookie")).toBe(false);
  await testServer.restart();
  expect(await (await read(testServer, null, path)).bytes()).toEqual(picture);
  expect(requests).toEqual(["/a.png"]);
  testServer.clock.passSeconds(CACHE_SECONDS + 60);
  expect((await read(testServer, null, path)).status).toBe(200);
  expect(requests).toEqual(["/a.png", "/a.png"]);
});

test("GET //external_content/${signature}/${address} fetches only signed URLs", async () => {
  const path = await proxiedPath(`${url}/a.png`);
  const [, , signature] = path.split("/");
  const other = `${signature!.slice(1)}${signature![0] === "0" ? "1" : "0"}`;
  const hex = hexOf(`${url}/a.png`);
  for (const wrong of [
    `/external_content/${signature}/${hexOf(`${url}/b.png`)}`,
    `/external_content/${other}/${hex}`,
    `/external_content/${signature}/${hex}0`,
    `/external_content/${signature}/${hex}zz`,
    `/external_content/${signature}/${hex.toUpperCase()}`,
    `/external_content/x/${hex}`,
  ]) {
    expect((await read(testServer, "bo", wrong)).status).toBe(403);
  }
  expect(requests).toEqual([]);
});

test.each(["/svg.png", "/page.png", "/none.png", "/inside.png", "/long.png"])(
  "%s is no picture to show, and is not asked for again at once",
  async (path) => {
    const location = await proxiedPath(url + path);
    expect((await read(testServer, null, location)).status).toBe(404);
    const grey = await read(testServer, null, location, { Accept: "image/*" });
    expect([grey.status, grey.headers.get("content-type")]).toEqual([404, "image/png"]);
    expect(requests).toEqual([path]);
    testServer.clock.passSeconds(601);
    expect((await read(testServer, null, location)).status).toBe(404);
    expect(requests).toEqual([path, path]);
    const folder = join(testServer.directory, "data/external");
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  },
);

test("follows redirects of an image", async () => {
  const path = await proxiedPath(`${url}/moved.png`);
  expect(await (await read(testServer, null, path)).bytes()).toEqual(picture);
});

test("does not connect to private addresses", async () => {
  const strictServer = await startTestServer();
  const [ownServer, path] = [testServer, await proxiedPath(`${url}/a.png`)];
  testServer = strictServer;
  const own = await proxiedPath(`${url}/a.png`);
  expect(own).not.toBe(path);
  expect((await read(strictServer, null, own)).status).toBe(404);
  expect(requests).toEqual([]);
  await ownServer.close();
});

test("serves the requested range of a video", async () => {
  const path = await proxiedPath(`${url}/film.mp4`);
  const part = await read(testServer, null, path, { Range: "bytes=100-199" });
  expect([part.status, part.headers.get("content-range")]).toEqual([
    206,
    `bytes 100-199/${video.length}`,
  ]);
  expect(part.headers.get("content-type")).toBe("video/mp4");
  expect(Buffer.from(await part.bytes())).toEqual(video.subarray(100, 200));
  const end = await read(testServer, null, path, { Range: "bytes=-10" });
  expect(Buffer.from(await end.bytes())).toEqual(video.subarray(-10));
  expect((await read(testServer, null, path, { Range: "bytes=99999-" })).status).toBe(416);
  const head = await read(testServer, null, path, {}, "HEAD");
  expect(head.headers.get("content-length")).toBe(String(video.length));
  expect(requests).toEqual(["/film.mp4"]);
});

test("renders proxied URLs in HTML, and stores the original ones", async () => {
  const address = `${url}/a.png?a=1&b=2`;
  const path = await proxiedPath(address);
  const listener = await testServer.listen("cy", { apply_markdown: true });
  const id = await post(address);
  await testServer.request("bo", `PATCH /messages/${id}`, { content: `now ${address}` });
  const to = [testServer.idOf("bo")];
  const scheduled_delivery_timestamp = testServer.realm.read.now + 1_000;
  const ownListener = await testServer.listen("bo");
  const content = { type: "direct", to, content: address, scheduled_delivery_timestamp };
  await testServer.request("bo", "POST /scheduled_messages", content);
  const received: Json[] = [...(await listener.takeAll()), ...(await ownListener.takeAll())];
  const responses = [
    ...received.map((event) => JSON.stringify(event)),
    JSON.stringify(await testServer.request("bo", `GET /messages/${id}/history`)),
    JSON.stringify(await testServer.request("bo", `GET /messages/${id}`)),
    JSON.stringify(await testServer.request("bo", "GET /scheduled_messages")),
    JSON.stringify(
      await testServer.request("bo", "GET /messages/matches_narrow", {
        msg_ids: [id],
        narrow: [{ operator: "search", operand: "now" }],
      }),
    ),
  ];
  const escaped = address.replaceAll("&", "&amp;");
  for (const text of responses) expect(text).not.toContain(`src=\\"${escaped}`);

  expect(responses.filter((text) => text.includes(path)).length).toBe(7);
  const { rendered_content, content: message } = testServer.realm.read.messages.get(id)!;
  expect(message).toBe(`now ${address}`);
  expect(rendered_content).toContain(`<img src="${escaped}">`);
});

test("proxies images of link previews, and leaves own images unchanged", async () => {
  await testServer.request("olga", "PATCH /realm", { inline_url_embed_preview: true });
  BODIES["/page"] = "";
  const { read: reader } = testServer.realm;
  const page = { title: "Page", description: "", image: `${url}/a.png` };
  const hash = new Bun.CryptoHasher("sha256").update("http://p.example/").digest("base64url");
  await testServer.realm.write((tx) => {
    tx.linked_pages.put({ hash, expires: reader.now + 1_000, page });
  });
  const html = await htmlOf(await post("http://p.example/"));
  const path = await proxiedPath(`${url}/a.png`);
  expect(html).toContain(`style="background-image: url(&quot;${path}&quot;)"`);
  expect(html).not.toContain(`${url}/a.png`);
  const own = `${testServer.url}/user_avatars/1/x.png`;
  expect(await htmlOf(await post(own))).toContain(`<img src="${own}">`);
  const others = `${testServer.url}/user_avatars/../json/messages/x.png`;
  expect(await htmlOf(await post(others))).toMatch(/<img src="\/external_content\//);
  const youtube = await htmlOf(await post("https://youtu.be/abcdefghijk"));
  expect(youtube).toContain(hexOf("https://i.ytimg.com/vi/abcdefghijk/mqdefault.jpg"));
});

test("limits requests per host and minute, independently of other hosts", async () => {
  const statuses: number[] = [];
  for (let index = 0; index <= HOST_RATE.calls; index++) {
    const path = await proxiedPath(`${url}/none.png?${index}`);
    const { status, headers } = await read(testServer, null, path);
    statuses.push(status);
    if (status === 503) expect(headers.get("retry-after")).toBe("60");
  }
  expect(statuses).toEqual([...Array<number>(HOST_RATE.calls).fill(404), 503]);
  expect(requests.length).toBe(HOST_RATE.calls);
  const other = await proxiedPath(`${url.replace("127.0.0.1", "localhost")}/a.png`);
  expect((await read(testServer, null, other)).status).toBe(200);
});

test("fetches at most four images of a host at once", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  open = promise;
  const paths = await Promise.all([..."123456"].map((path) => proxiedPath(`${url}/a.png?${path}`)));
  const reads = paths.map((path) => read(testServer, null, path));
  await until(() => requests.length >= 4);
  const other = await proxiedPath(`${url.replace("127.0.0.1", "localhost")}/a.png`);
  reads.push(read(testServer, null, other));
  await until(() => requests.length >= 5);
  resolve();
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(7).fill(200));
  expect(requests.length).toBe(7);
});

test("renders original URLs if the proxy is disabled", async () => {
  const path = await proxiedPath(`${url}/a.png`);
  await testServer.close();
  testServer = await startTestServer({ outbound_allow: ["127.0.0.1"], external_content: false });
  expect(await htmlOf(await post(`${url}/a.png`))).toContain(`<img src="${url}/a.png">`);
  expect((await read(testServer, null, path)).status).toBe(404);
  expect(requests).toEqual([]);
});
