// Random actions of all users, by seed.
import type { Name } from "../users.ts";
import type { Chance } from "../store/sample-schema.ts";
import type { Params } from "../test-server.ts";
import type { BrowserFixture } from "./browser-fixture.ts";

const RESOLVED = "✔ ";
const TOPICS = ["paper", "colours", "lights", "a long walk"];
const EMOJI = ["tada", "heart", "octopus"];
const FLAGS = ["starred", "read", "collapsed"] as const;
const OTHERS = ["ada", "cy", "mo"] as const;
const WORDS = [
  "lantern",
  "paper",
  "summer",
  "@**Bo Member**",
  "**bold**",
  "[a](https://b.example)",
];

interface PostedMessage {
  id: number;
  by: Name;
  stream_id: number;
  topic: string;
}

export class Chaos {
  readonly done: string[] = [];
  private readonly channels: number[];
  private posted: PostedMessage[] = [];
  private readonly written: { id: number; by: Name }[] = [];
  private number = 0;

  private constructor(
    private readonly fixture: BrowserFixture,
    private readonly chance: Chance,
    others: readonly number[],
  ) {
    this.channels = [fixture.stream_id, ...others];
  }

  /** Creates three channels with topics, and direct messages between other users and Bo. */
  static async begin(fixture: BrowserFixture, random: Chance): Promise<Chaos> {
    const { testServer } = fixture;
    const principals = [...OTHERS, "bo", "olga"].map((name) => testServer.idOf(name as Name));
    const channels: number[] = [];
    for (const name of ["garden", "plans"]) {
      await testServer.request("olga", "POST /users/me/subscriptions", {
        subscriptions: [{ name }],
        principals,
      });
      const { stream_id } = await testServer.request("olga", "GET /get_stream_id", {
        stream: name,
      });
      channels.push(stream_id);
    }
    const chaos = new Chaos(fixture, random, channels);
    for (let index = 0; index < 25; index++) await chaos.post();
    for (let index = 0; index < 6; index++) await chaos.direct();
    return chaos;
  }

  /** The addresses of all possible views; topics by their current names. */
  views(): string[] {
    const { posted, channels, fixture } = this;
    const direct = [["ada"], ["cy"], ["ada", "cy"]] as const;
    const topics = new Set(
      posted.map(({ stream_id, topic }) => {
        const name = encodeURIComponent(topic).replaceAll(".", "%2E").replaceAll("%", ".");
        return `narrow/channel/${stream_id}-x/topic/${name}`;
      }),
    );
    return [
      ...channels.flatMap((id) => [`narrow/channel/${id}-x`, `topics/channel/${id}-x`]),
      ...topics,
      ...direct.map((names) => `narrow/dm/${names.map((name) => fixture.testServer.idOf(name))}-x`),
      ...["feed", "recent", "narrow/is/starred", "narrow/is/mentioned", "narrow/is/dm"],
      ...["narrow/is/resolved", "narrow/has/reaction", "narrow/has/link", "narrow/search/lantern"],
      `narrow/sender/${fixture.testServer.idOf("ada")}`,
      "inbox",
    ];
  }

  async act(): Promise<void> {
    const { chance: random } = this;
    const acts = [
      () => this.post(),
      () => this.post(),
      () => this.direct(),
      () => this.edit(),
      () => this.edit(),
      () => this.remove(),
      () => this.remove(),
      () => this.unsay(),
      () => this.move(),
      () => this.move(),
      () => this.resolve(),
      () => this.react(),
      () => this.react(),
      () => this.flag(),
      () => this.flag(),
      () => this.follow(),
      () => this.subscribe(),
      () => this.subscribe(),
      () => this.prefer(),
      () => this.close(),
      () => this.sweep(),
      () => this.readAll(),
      () => this.rename(),
      () => this.mute(),
      () => this.archive(),
      () => this.deactivate(),
      () => this.set(),
    ];
    await random.pick(acts)();
  }

  private async post(): Promise<void> {
    const by = this.chance.pick(OTHERS);
    const stream_id = this.chance.pick(this.channels);
    const topic = this.chance.pick(TOPICS);
    const to = { type: "channel", to: stream_id, topic, content: this.words() };
    const response = await this.request(by, "POST /messages", to);
    if (response) this.posted.push({ id: response.id, by, stream_id, topic });
  }

  private async direct(): Promise<void> {
    const [by, ...more] = this.chance.pick([["ada"], ["cy"], ["ada", "cy"]] as const);
    const to = ["bo" as const, ...more].map((name) => this.fixture.testServer.idOf(name));
    const params = { type: "direct", to, content: this.words() };
    const response = await this.request(by, "POST /messages", params);
    if (response) this.written.push({ id: response.id, by });
  }

  /** Deletes the newest direct message. */
  private async unsay(): Promise<void> {
    const last = this.written.pop();
    if (last) await this.request(last.by, `DELETE /messages/${last.id}`);
  }

  private async edit(): Promise<void> {
    const one = this.one();
    await this.request(one.by, `PATCH /messages/${one.id}`, { content: this.words() });
  }

  private async remove(): Promise<void> {
    const { id } = this.one();
    if (await this.request("olga", `DELETE /messages/${id}`))
      this.posted = this.posted.filter((item) => item.id !== id);
  }

  private async move(): Promise<void> {
    const one = this.one();
    const topic = this.chance.once(3) ? `new ${++this.number}` : this.chance.pick(TOPICS);
    const mode = this.chance.pick(["change_one", "change_later", "change_all"] as const);
    const stream_id = this.chance.once(3) ? this.chance.pick(this.channels) : undefined;
    const to = stream_id === undefined || stream_id === one.stream_id ? {} : { stream_id };
    const change = { topic, propagate_mode: mode, ...to };
    if (!(await this.request("olga", `PATCH /messages/${one.id}`, change))) return;
    const { stream_id: from, topic: was } = one;
    for (const other of this.posted) {
      const isAlong = other.stream_id === from && other.topic === was && mode !== "change_one";
      if (other !== one && !(isAlong && (mode === "change_all" || other.id > one.id))) continue;
      [other.topic, other.stream_id] = [topic, stream_id ?? from];
    }
  }

  private async resolve(): Promise<void> {
    const one = this.one();
    const isResolved = one.topic.startsWith(RESOLVED);
    const topic = isResolved ? one.topic.slice(RESOLVED.length) : RESOLVED + one.topic;
    const change = { topic, propagate_mode: "change_all" };
    if (!(await this.request("ada", `PATCH /messages/${one.id}`, change))) return;
    const { stream_id, topic: was } = one;
    for (const other of this.posted)
      if (other.stream_id === stream_id && other.topic === was) other.topic = topic;
  }

  private async react(): Promise<void> {
    const emoji_name = this.chance.pick(EMOJI);
    const method = this.chance.once(3) ? "DELETE" : "POST";
    const by = this.chance.pick(["bo", ...OTHERS] as const);
    await this.request(by, `${method} /messages/${this.one().id}/reactions`, { emoji_name });
  }

  /** Sets or removes a flag as another device of Bo. */
  private async flag(): Promise<void> {
    const op = this.chance.pick(["add", "remove"]);
    const flag = this.chance.pick(FLAGS);
    await this.request("bo", "POST /messages/flags", { messages: [this.one().id], op, flag });
  }

  private async follow(): Promise<void> {
    const { stream_id, topic } = this.one();
    const visibility_policy = this.chance.pick([0, 1, 2, 3]);
    await this.request("bo", "POST /user_topics", { stream_id, topic, visibility_policy });
  }

  /** Unsubscribes or subscribes Bo, mostly in the last channel. */
  private async subscribe(): Promise<void> {
    const stream_id = this.chance.once(2) ? this.channels[2]! : this.chance.pick(this.channels);
    const { name } = (await this.request("olga", `GET /streams/${stream_id}`))?.stream ?? {};
    if (this.chance.once(2))
      await this.request("bo", "DELETE /users/me/subscriptions", { subscriptions: [name] });
    else await this.request("bo", "POST /users/me/subscriptions", { subscriptions: [{ name }] });
  }

  private async prefer(): Promise<void> {
    const stream_id = this.chance.pick(this.channels);
    const property = this.chance.pick(["is_muted", "pin_to_top"]);
    const subscription_data = [{ stream_id, property, value: this.chance.once(2) }];
    await this.request("bo", "POST /users/me/subscriptions/properties", { subscription_data });
  }

  /** Makes the last channel private, or public again. */
  private async close(): Promise<void> {
    const is_private = this.chance.once(2);
    await this.request("olga", `PATCH /streams/${this.channels[2]!}`, { is_private });
  }

  private async sweep(): Promise<void> {
    const { stream_id, topic: topic_name } = this.one();
    if (!(await this.request("olga", `POST /streams/${stream_id}/delete_topic`, { topic_name })))
      return;
    const isRemoved = (item: PostedMessage) =>
      item.stream_id === stream_id && item.topic === topic_name;
    this.posted = this.posted.filter((item) => !isRemoved(item));
  }

  private async readAll(): Promise<void> {
    const { stream_id, topic: topic_name } = this.one();
    if (this.chance.once(2)) await this.request("bo", "POST /mark_stream_as_read", { stream_id });
    else await this.request("bo", "POST /mark_topic_as_read", { stream_id, topic_name });
  }

  private async rename(): Promise<void> {
    const { testServer } = this.fixture;
    const n = ++this.number;
    const stream_id = this.chance.pick(this.channels);
    if (this.chance.once(2))
      await this.request("olga", `PATCH /streams/${stream_id}`, { new_name: `c${n}` });
    else
      await this.request("olga", `PATCH /users/${testServer.idOf("ada")}`, {
        full_name: `Ada ${n}`,
      });
  }

  private async mute(): Promise<void> {
    const method = this.chance.pick(["POST", "DELETE"]);
    await this.request(
      "bo",
      `${method} /users/me/muted_users/${this.fixture.testServer.idOf("mo")}`,
    );
  }

  private async archive(): Promise<void> {
    const stream_id = this.chance.pick(this.channels);
    if (this.chance.once(2)) await this.request("olga", `DELETE /streams/${stream_id}`);
    else await this.request("olga", `PATCH /streams/${stream_id}`, { is_archived: false });
  }

  private async deactivate(): Promise<void> {
    const id = this.fixture.testServer.idOf(this.chance.pick(["mo", "cy"]));
    if (this.chance.once(2)) await this.request("olga", `DELETE /users/${id}`);
    else await this.request("olga", `POST /users/${id}/reactivate`);
  }

  private async set(): Promise<void> {
    const twenty_four_hour_time = this.chance.once(2);
    await this.request("bo", "PATCH /settings", { twenty_four_hour_time });
  }

  private one(): PostedMessage {
    return this.chance.pick(this.posted);
  }

  private words(): string {
    return [++this.number, this.chance.pick(WORDS), this.chance.pick(WORDS)].join(" ");
  }

  /** Skips actions without permission; no response may be a server error. */
  private async request(name: Name, line: string, params: Params = {}) {
    this.done.push(`${name} ${line} ${JSON.stringify(params)}`);
    const response = await this.fixture.testServer.send(name, line, params);
    if (response.status >= 500) throw new Error(`${name}: ${line} → ${response.status}`);
    return response.ok ? response.json() : undefined;
  }
}
