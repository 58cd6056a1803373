/** More clients than file descriptors: important functions continue. */
import { expect, test } from "bun:test";
import { tooManyConnections } from "../../src/contract/errors/general.ts";
import { linesOf, skein } from "../commands/skein.ts";
import { canLimit } from "../crash/small-disk.ts";
import { formOf, type Json } from "../test-server.ts";
import { organization, sendParams, ServeProcess } from "./serve-process.ts";
import { until } from "../wait-until.ts";

const LIMIT = 128;

const FORM = "application/x-www-form-urlencoded";
const PARTS = "multipart/form-data; boundary=b";
const FILE =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--b--\r\n';

/** A request whose body is withheld until the returned function is called. */
async function start(server: ServeProcess, line: string, type: string, body: string, name: string) {
  const answer = Promise.withResolvers<string>();
  const { hostname, port } = new URL(server.url);
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_socket, bytes) => answer.resolve(bytes.toString()),
      close: () => answer.resolve("closed"),
    },
  });
  const head = `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\nAuthorization: ${name}`;
  socket.write(`${line} HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n`);
  return () => {
    socket.write(body);
    return answer.promise;
  };
}

test.skipIf(!canLimit())(
  "clients beyond the cap get 503, and those before it send and upload, and commands work",
  async () => {
    using testServer = await organization();
    const { directory, olga } = testServer;
    const wrapper = ["prlimit", `--nofile=${LIMIT}:${LIMIT}`];
    const flags = ["--rate-limits", "off"];
    await using server = await new ServeProcess(directory, { wrapper, flags }).untilServing();
    const Authorization = `Basic ${btoa(`${olga.email}:${olga.api_key}`)}`;
    const send = formOf(sendParams("begun before it was full")).toString();
    const sockets = await start(server, `POST /api/v1/messages`, FORM, send, Authorization);
    const uploaded = await start(server, `POST /api/v1/user_uploads`, PARTS, FILE, Authorization);
    const polling = new AbortController();
    const polled: Promise<number>[] = [];
    for (let index = 0; index < LIMIT; index++) {
      // A client that is rejected while it sends may not receive the response; see below.
      const requested = server.request(olga, "POST /register", { event_types: ["realm"] });
      const { status, body } = await requested.catch(() => ({ status: 503, body: {} as Json }));
      if (status === 503) break;
      const query = `queue_id=${body.queue_id}&last_event_id=${body.last_event_id}`;
      const poll = fetch(`${server.url}/api/v1/events?${query}`, {
        headers: { Authorization },
        signal: polling.signal,
      });
      polled.push(poll.then(({ status: answer }) => answer).catch(() => 0));
    }
    expect(polled.length).toBeLessThan(LIMIT);
    expect(polled.length).toBeGreaterThan(LIMIT / 2);
    const retried = await fetch(`${server.url}/api/v1/users/me`, {
      headers: { Authorization, Connection: "close" },
    });
    expect(retried.status).toBe(503);
    expect(await retried.json()).toMatchObject({
      code: "TOO_MANY_CONNECTIONS",
      msg: tooManyConnections().message,
    });
    expect(await sockets()).toContain("200 OK");
    expect(await uploaded()).toContain("200 OK");
    const created = await skein(["user", "list", "--data", directory, "--json"]);
    expect(linesOf(created)).toHaveLength(1);

    polling.abort();
    await Promise.all(polled);
    await until(async () => (await fetch(`${server.url}/readyz`)).status === 200);
    expect((await server.request(olga, "POST /messages", sendParams("after"))).status).toBe(200);
  },
);
