// The baseline for Skein: the smallest server that could do the same job, a bare Bun.serve.

// `bare-server store DIR`: each send commits one small durable record.
// `bare-server fan-out LENGTH`: each send answers all waiting polls with one prepared body whose
// event has LENGTH characters; a poll receives events it missed when it arrives.
// `bare-server same LENGTH`: answers every request with one prepared body of LENGTH characters.
// `bare-server sign-in DIR HASH`: has one account.
import { open } from "lmdb";

type Handler = (request: Request) => Response | Promise<Response>;

const JSON_TEXT = { headers: { "Content-Type": "application/json" } };
/** Number of events that polls may lag behind. */
const EVENTS_KEPT = 64;
const USER_LENGTH = 700;

const [mode = "", ...rest] = process.argv.slice(2);

const modes: Record<string, () => Record<string, Handler>> = {
  store: () => storeHandlers(rest[0]!),
  "fan-out": () => fanOutHandlers(Number(rest[0])),
  same: () => fixedHandlers(Number(rest[0])),
  "sign-in": () => signInHandlers(rest[0]!, rest[1]!),
};

const handlers = modes[mode]!();
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  fetch(request) {
    const { url } = request;
    const from = url.indexOf("/api/v1") + "/api/v1".length;
    const query = url.indexOf("?", from);
    const handler = handlers[query < 0 ? url.slice(from) : url.slice(from, query)];
    return handler ? handler(request) : new Response("", { status: 404 });
  },
});
console.log(`The bare server listens on ${server.url.origin}`);

function storeHandlers(directory: string): Record<string, Handler> {
  const db = open<string, number>({
    path: `${directory}/data.mdb`,
    noSubdir: true,
    encoding: "string",
    overlappingSync: false,
  } as object as Parameters<typeof open>[0] & { path: string });
  let newest = 0;
  const send = async (request: Request) => {
    const text = await request.text();
    const id = ++newest;
    await db.put(id, text);
    return new Response(`{"result":"success","msg":"","id":${id}}`, JSON_TEXT);
  };
  const user = padTo(`{"result":"success","msg":"","full_name":"`, USER_LENGTH);
  return {
    "/messages": send,
    "/users/me/subscriptions": send,
    "/register": send,
    "/users/me": () => new Response(user, JSON_TEXT),
  };
}

function fanOutHandlers(length: number): Record<string, Handler> {
  let newest = 0;
  let waitingPolls: { after: number; resolve: (response: Response) => void }[] = [];
  const events: string[] = [];
  const bodies = new Map<number, string>();

  const responseSince = (after: number) => {
    let body = bodies.get(after);
    if (body === undefined) {
      const news = events.slice(events.length - (newest - after)).join(",");
      body = `{"result":"success","msg":"","events":[${news}],"queue_id":"bare"}`;
      bodies.set(after, body);
    }
    return new Response(body, JSON_TEXT);
  };

  return {
    "/messages"() {
      newest += 1;
      events.push(padTo(`{"type":"message","id":${newest},"text":"`, length));
      if (events.length > EVENTS_KEPT) events.shift();
      bodies.clear();
      const polls = waitingPolls;
      waitingPolls = [];
      for (const { after, resolve } of polls) resolve(responseSince(after));
      return new Response(`{"result":"success","msg":"","id":${newest}}`, JSON_TEXT);
    },
    "/events"({ url }) {
      const after = Number(url.slice(url.lastIndexOf("=") + 1));
      if (after < newest) return responseSince(after);
      return new Promise((resolve) => waitingPolls.push({ after, resolve }));
    },
  };
}

function fixedHandlers(length: number): Record<string, Handler> {
  const body = padTo(`{"result":"success","msg":"`, length);
  return new Proxy({}, { get: () => () => new Response(body, JSON_TEXT) });
}

function signInHandlers(directory: string, hash: string): Record<string, Handler> {
  const user = storeHandlers(directory)["/users/me"]!;
  return {
    "/users/me": user,
    async "/fetch_api_key"(request) {
      const password = new URLSearchParams(await request.text()).get("password") ?? "";
      const isCorrect = await Bun.password.verify(password, hash);
      return new Response(`{"result":"success","api_key":"none"}`, {
        ...JSON_TEXT,
        status: isCorrect ? 200 : 403,
      });
    },
  };
}

function padTo(start: string, length: number) {
  return `${start}${"x".repeat(Math.max(0, length - start.length - 2))}"}`;
}
