// The server data that recorded device data refers to: its messages and drafts.
import { expect } from "bun:test";
import { BrowserFixture } from "../browser-fixture.ts";

/** Messages of the scene have greater ids, however many messages the test server starts with. */
const FIRST_ID = 160;

/** Texts by their name, in the order of posting. */
const MESSAGES = {
  liked: ["ada", "Look at this"],
  edited: ["bo", "With a tpyo"],
  deleted: ["bo", "Said in anger"],
  moved: ["bo", "In the wrong topic"],
  poll: ["ada", "/poll When?\nNow\nLater"],
  begun: ["bo", "An edit begins here"],
  refused: ["bo", "Nobody may change this"],
} as const;

type SceneMessage = keyof typeof MESSAGES;

/** All messages after this one are marked as unread. */
export const UNREAD_FROM = 20;
export const SENT_TEXT = "Sent, but its event never came";
export const FILE_PIECE = "0123456789abcdef";
export const FILE_BYTES = 3 * 1024 * 1024;
export const fileBytes = (): Buffer => Buffer.alloc(FILE_BYTES, FILE_PIECE);

export interface DeviceFixture {
  readonly fixture: BrowserFixture;
  readonly ids: Readonly<Record<SceneMessage, number>>;
}

export async function openScene(): Promise<DeviceFixture> {
  const fixture = await BrowserFixture.open();
  let { id } = await fixture.post("ada", "The first");
  while (id < FIRST_ID) ({ id } = await fixture.post("ada", "Filler"));
  expect(id).toBe(FIRST_ID);
  const ids = {} as Record<SceneMessage, number>;
  for (const [name, [author, text]] of Object.entries(MESSAGES)) {
    ids[name as SceneMessage] = (await fixture.post(author, text)).id;
  }
  const all = { anchor: "newest", num_before: 1000, num_after: 0, narrow: [] };
  const read = { ...all, op: "add", flag: "read" };
  await fixture.testServer.request("bo", "POST /messages/flags/narrow", read);
  return { fixture, ids };
}

/** The address of a topic of #design. */
export const topicAt = ({ fixture }: DeviceFixture, topic: string): string =>
  fixture.topicUrl.replace("topic/logo", `topic/${encodeURIComponent(topic).replaceAll("%", ".")}`);
