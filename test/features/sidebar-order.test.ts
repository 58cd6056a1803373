// A user's own order of channels and folders: events, removed entries and limits.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { tooMany } from "../../src/contract/errors/channels.ts";
import {
  ORDERED_CHANNELS_MAX,
  ORDERED_FOLDERS_MAX,
} from "../../src/features/navigation/sidebar-rules.ts";
import { staysInSync } from "../sync.ts";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";

const CAPABLE = { client_capabilities: { skein_sidebar_order: true } };
const GET = "GET /skein_sidebar_order";
const PUT = "PUT /skein_sidebar_order";

let testServer: TestServer;
let channels: number[];
let folders: number[];
let nth = 0;

beforeAll(async () => {
  testServer = await startTestServer();
});
afterAll(() => testServer.close());
beforeEach(async () => {
  channels = [await createChannel(), await createChannel(), await createChannel()];
  folders = [await createFolder(), await createFolder()];
  await setOrder("bo", [], []);
});

const createChannel = async (): Promise<number> => {
  const subscribers = (["olga", "bo", "cy"] as const).map((name) => testServer.idOf(name));
  const params = { name: `ordered ${(nth += 1)}`, subscribers };
  return (await testServer.request("olga", "POST /channels/create", params)).id;
};
const createFolder = async (): Promise<number> => {
  const params = { name: `folder ${(nth += 1)}`, description: "" };
  return (await testServer.request("olga", "POST /channel_folders/create", params))
    .channel_folder_id;
};
const setOrder = (name: Name, inChannels: number[], inFolders: number[]) =>
  testServer.request(name, PUT, { channels: inChannels, folders: inFolders });
const orderOf = async (name: Name): Promise<Pick<Json, "channels" | "folders">> => {
  const { channels: inChannels, folders: inFolders } = await testServer.request(name, GET);
  return { channels: inChannels, folders: inFolders };
};
const register = async (name: Name, extra: object): Promise<Json> =>
  testServer.request(name, "POST /register", {
    fetch_event_types: ["skein_sidebar_order"],
    ...extra,
  });

test("the order is kept as sent, each id once, and is part of the first state", async () => {
  const [first, second, third] = channels as [number, number, number];
  await setOrder("bo", [third, first, third, second], folders.toReversed());
  const stored = { channels: [third, first, second], folders: folders.toReversed() };
  expect(await orderOf("bo")).toEqual(stored);
  const { skein_sidebar_order } = await register("bo", CAPABLE);
  expect(skein_sidebar_order).toEqual(stored);
  await setOrder("bo", [], []);
  expect(await orderOf("bo")).toEqual({ channels: [], folders: [] });
});

test("only the user's own clients with the capability receive it", async () => {
  const own = await testServer.listen("bo", CAPABLE);
  const plainListener = await testServer.listen("bo", { event_types: ["skein_sidebar_order"] });
  const other = await testServer.listen("cy", CAPABLE);
  const administrator = await testServer.listen("olga", CAPABLE);
  await setOrder("bo", channels, folders);
  const event = { type: "skein_sidebar_order", channels, folders };
  expect(await own.takeAll()).toMatchObject([event]);
  for (const queue of [plainListener, other, administrator])
    expect(await queue.takeAll()).toEqual([]);
  for (const name of ["cy", "olga"] as const) {
    expect(await orderOf(name)).toEqual({ channels: [], folders: [] });
    const { skein_sidebar_order } = await register(name, CAPABLE);
    expect(skein_sidebar_order).toEqual({ channels: [], folders: [] });
  }
  expect(await register("bo", {})).not.toHaveProperty("skein_sidebar_order");
});

test("archived channels and folders, and left channels, keep their place", async () => {
  const [unsubscribedId, archived] = channels as [number, number, number];
  await setOrder("bo", channels, folders);
  const { name } = testServer.realm.read.channels.get(unsubscribedId)!;
  const path = `PATCH /channel_folders/${folders[0]}`;
  const subscriptions = { subscriptions: [{ name }] };
  await staysInSync(testServer, ["bo"], async () => {
    await testServer.request("bo", "DELETE /users/me/subscriptions", { subscriptions: [name] });
    await testServer.request("olga", `DELETE /streams/${archived}`);
    await testServer.request("olga", path, { is_archived: true });
  });
  await staysInSync(testServer, ["bo"], async () => {
    await testServer.request("bo", "POST /users/me/subscriptions", subscriptions);
    await testServer.request("olga", `PATCH /streams/${archived}`, { is_archived: false });
    await testServer.request("olga", path, { is_archived: false });
  });
  expect(await orderOf("bo")).toEqual({ channels, folders });
});

test("a new order drops archived channels and folders, and left channels", async () => {
  const [unsubscribedId, archived, rest] = channels as [number, number, number];
  const { name } = testServer.realm.read.channels.get(unsubscribedId)!;
  await testServer.request("bo", "DELETE /users/me/subscriptions", { subscriptions: [name] });
  await testServer.request("olga", `DELETE /streams/${archived}`);
  await testServer.request("olga", `PATCH /channel_folders/${folders[0]}`, { is_archived: true });
  await staysInSync(testServer, ["bo"], () => setOrder("bo", channels, folders));
  expect(await orderOf("bo")).toEqual({ channels: [rest], folders: [folders[1]!] });
});

test("does not reveal whether a channel exists that the user is not in", async () => {
  const input = { name: "secret order", subscribers: [testServer.idOf("olga")] };
  const secret = { ...input, invite_only: true };
  const { id } = await testServer.request("olga", "POST /channels/create", secret);
  const params = { channels: [id, 999_999, ...channels], folders: [999_999] };
  const { channels: stored, folders: inFolders } = await testServer.request("bo", PUT, params);
  expect([stored, inFolders]).toEqual([channels, []]);
});

test("refuses more than the limits, and what is no list of ids", async () => {
  const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const channelsRefused = await testServer.refused("bo", PUT, {
    channels: numbersTo(ORDERED_CHANNELS_MAX + 1),
    folders: [],
  });
  expect(channelsRefused.msg).toBe(tooMany("channels", ORDERED_CHANNELS_MAX).message);
  const foldersRefused = await testServer.refused("bo", PUT, {
    channels: [],
    folders: numbersTo(ORDERED_FOLDERS_MAX + 1),
  });
  expect(foldersRefused.msg).toBe(tooMany("folders", ORDERED_FOLDERS_MAX).message);
  const refusal = await testServer.refused("bo", PUT, { channels: ["a"], folders: [] });
  expect(refusal.code).toBe("BAD_REQUEST");
});
