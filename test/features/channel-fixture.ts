// Channels with subscribers, and helpers to send, move and fetch their messages.
import { expect } from "bun:test";
import type * as errors from "../../src/contract/errors/general.ts";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

export class ChannelFixture {
  /** A new one for each test. */
  topic = "";
  private topics = 0;
  garden = 0;
  kitchen = 0;
  /** Private; the second with protected history. */
  shed = 0;
  vault = 0;

  constructor(readonly testServer: TestServer) {}

  nextTopic(): void {
    this.topic = `topic ${++this.topics}`;
  }

  async make(name: string, people: readonly Name[], params: Params = {}): Promise<number> {
    const subscribers = people.map((person) => this.testServer.idOf(person));
    const request = { name, subscribers, ...params };
    return (await this.testServer.request("bo", "POST /channels/create", request)).id;
  }

  async post(name: Name, to = this.garden, content = "words", topic = this.topic): Promise<number> {
    const params = { type: "stream", to, topic, content };
    return (await this.testServer.request(name, "POST /messages", params)).id;
  }

  move(name: Name, id: number, params: Params): Promise<Json> {
    const quiet = { send_notification_to_new_thread: false };
    return this.testServer.request(name, `PATCH /messages/${id}`, { ...quiet, ...params });
  }

  async getMessage(name: Name, id: number): Promise<Json> {
    return (await this.testServer.request(name, `GET /messages/${id}`)).message;
  }

  async topicsIn(name: Name, stream_id: number): Promise<Json> {
    return (await this.testServer.request(name, `GET /users/me/${stream_id}/topics`)).topics;
  }

  async expectRefused(
    refusal: errors.Refusal,
    requester: Name,
    id: number,
    params: Params,
  ): Promise<void> {
    const { errCode: code, status, message: msg, extra } = refusal;
    const line = `PATCH /messages/${id}`;
    expect(await this.testServer.refused(requester, line, params)).toMatchObject({
      status,
      code,
      msg,
      ...extra,
    });
  }

  setRealm(settings: Params): Promise<void> {
    return this.testServer.realm.write((tx) => {
      const realm = tx.realm.get(1)!;
      tx.realm.put({ ...realm, settings: { ...realm.settings, ...settings } });
    });
  }

  setChannel(stream_id: number, settings: Params): Promise<void> {
    return this.testServer.realm.write((tx) =>
      tx.channels.put({ ...tx.channels.get(stream_id)!, ...settings }),
    );
  }

  groupSetting(...names: Name[]) {
    return {
      direct_members: names.map((name) => this.testServer.idOf(name)),
      direct_subgroups: [],
    };
  }
}

export async function openChannelFixture(): Promise<ChannelFixture> {
  const gardens = new ChannelFixture(await startTestServer());
  const closedFields = { invite_only: true };
  gardens.garden = await gardens.make("garden", ["bo", "cy", "gus"]);
  gardens.kitchen = await gardens.make("kitchen", ["bo", "cy", "mo"]);
  const shared = { ...closedFields, history_public_to_subscribers: true };
  gardens.shed = await gardens.make("shed", ["bo", "mo"], shared);
  gardens.vault = await gardens.make("vault", ["bo", "mo"], closedFields);
  // Each channel gets a first message, so that moved messages are never the first of a channel.
  for (const to of [gardens.garden, gardens.kitchen, gardens.shed, gardens.vault]) {
    await gardens.post("bo", to, "first", "first");
  }
  return gardens;
}

export const describeEvents = (events: Json[] | undefined) =>
  (events ?? []).map(({ type, op }) => [type, op].filter(Boolean).join(" "));
