/** A listening server with a small organization in memory. */
import type { Config } from "../../src/contract/config.ts";
import type { Refusal } from "../../src/contract/errors/general.ts";
import type { Realm } from "../../src/realm.ts";
import type { ApiKey } from "../../src/schema/records-people.ts";
import type { User } from "../../src/schema/records.ts";
import { hashOfSecret } from "../../src/server/caller/secrets.ts";
import type { Route } from "../../src/server/routing.ts";
import type { Hooks } from "../../src/server/serve.ts";
import { serve } from "../../src/server/serve.ts";

export const NOW = 1_800_000_000_000;

type Person = Pick<User, "user_id" | "delivery_email" | "role" | "bot_type" | "is_active">;

const person = (
  user_id: number,
  name: string,
  role: number,
  rest: Partial<Person> = {},
): Person => {
  const delivery_email = `${name}@Example.com`;
  return { user_id, delivery_email, role, bot_type: null, is_active: true, ...rest };
};

const people = [
  person(1, "Olga", 100),
  person(2, "Adam", 200),
  person(3, "Mona", 400),
  person(4, "Gus", 600),
  person(5, "Bot", 400, { bot_type: 1 }),
  person(6, "Hook", 400, { bot_type: 2 }),
  person(7, "Gone", 400, { is_active: false }),
  person(8, "GuestBot", 600, { bot_type: 1 }),
  person(9, "AdminBot", 200, { bot_type: 1 }),
];

/** The API key of a user: 32 characters. */
export const keyOf = (user_id: number) => String(user_id).repeat(32).slice(0, 32);

/** The `Authorization` header of a user. */
export function credentials(name: string, key?: string): Record<string, string> {
  const found = people.find((person) => person.delivery_email.startsWith(`${name}@`));
  const email = found?.delivery_email ?? name;
  return { Authorization: `Basic ${btoa(`${email}:${key ?? keyOf(found?.user_id ?? 0)}`)}` };
}

/** The tables of a realm that the server reads. */
export function smallRealm(clock = { now: () => NOW }) {
  const keys = people.map(({ user_id }): ApiKey => {
    const hash = hashOfSecret(keyOf(user_id));
    const last_used = NOW / 1000;
    return { key_id: user_id, user_id, hash, client: "", created: 0, last_used, sealed: null };
  });
  const puts: ApiKey[] = [];
  const api_keys = {
    get: (key_id: number) => keys.find((key) => key.key_id === key_id),
    findBy: (_index: string, hash: string) => keys.find((key) => key.hash === hash),
    put: (record: ApiKey) => {
      puts.push(record);
      keys[keys.findIndex((key) => key.key_id === record.key_id)] = record;
    },
  };
  const users = { get: (id: number) => people.find((person) => person.user_id === id) };
  const deactivations = { has: () => false };
  const read = { users, api_keys, deactivations, sessions: {} };
  const realm = {
    clock,
    config: { url: "http://chat.example" },
    read,
    write: async (body: (tx: typeof read) => unknown) => body(read),
  };
  return { realm: realm as unknown as Realm, keys, puts };
}

export interface CountingServer {
  url: string;
  request(label: string, init?: RequestInit): Promise<ApiResponse>;
  stop(): Promise<void>;
}

interface ApiResponse {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line no-explicit-any -- an answer may be of any shape
  body: any;
}

/**
 * Serves these routes to the users of a small realm. `ask("GET /x", …)` requests a path under
 * /api/v1.
 */
export async function open(
  routes: readonly Route[],
  {
    realm = smallRealm().realm,
    rate_limits = false,
    hooks = {} as Hooks,
    neighbours = [] as Realm[],
    log = "off" as Config["log"],
  } = {},
): Promise<CountingServer> {
  const where = { host: "127.0.0.1", port: 0, url: "" };
  const config = { ...where, rate_limits, max_upload_mib: 100, log } as const;
  const realmAt = (host: string) => (host.startsWith("127.") ? realm : undefined);
  const hosts = { realmAt, isRoot: () => false, realms: [realm, ...neighbours] };
  const { url, stop } = await serve(hosts, routes, config, hooks);
  const request = async (label: string, init: RequestInit = {}) => {
    const [method = "", path = ""] = label.split(/ (.*)/s);
    const location = path.startsWith("root:") ? path.slice("root:".length) : `/api/v1${path}`;
    const response = await fetch(url + location, { redirect: "manual", ...init, method });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const body = isJson && text !== "" ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body };
  };
  return { url, request, stop };
}

/** Returns the visible form of an error. */
export function payloadOf({ status, errCode, message, extra }: Refusal) {
  const code = errCode === undefined ? {} : { code: errCode };
  return [status, { result: "error", msg: message, ...code, ...extra }];
}

/** Sends raw bytes, and returns the received text when the server closes the connection. */
export async function sendRaw(url: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url);
  let text = "";
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_socket, chunk) => void (text += chunk.toString()),
      close: () => resolve(text),
      error: () => resolve(text),
    },
  });
  socket.write(bytes);
  return await promise;
}
