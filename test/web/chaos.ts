// Random actions of all users, by seed.
import type { Name } from "../users.ts";
import type { RandomChance } from "../store/sample-schema.ts";
import type { Params } from "../test-server.ts";
import type { BrowserFixture } from "./browser-fixture.ts";

const RESOLVED = "✔ ";
const TOPICS = ["paper", "colours", "lights", "a long walk"];
const EMOJI = ["tada", "heart", "octopus"];
const FLAGS = ["starred", "read", "collapsed"] as const;
const OTHER_USERS = ["ada", "cy", "mo"] as const;
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
  readonly log: string[] = [];
  private readonly channels: number[];
  private posted: PostedMessage[] = [];
  private readonly written: { id: number; by: Name }[] = [];
  private number = 0;

  private constructor(
    private readonly fixture: BrowserFixture,
    private readonly random: RandomChance,
    others: readonly number[],
  ) {
    this.channels = [fixture.stream_id, ...others];
  }

  /** Creates three channels with topics, and direct messages between other users and Bo. */
  static async start(fixture: BrowserFixture, random: RandomChance): Promise<Chaos> {
    const { testServer } = fixture;
    const principals = [...OTHER_USERS, "bo", "olga"].map((name) => testServer.idOf(name as Name));
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

  async runAction(): Promise<void> {
    const { random } = this;
    const actions = [
      () => this.post(),
      () => this.post(),
      () => this.direct(),
      () => this.edit(),
      () => this.edit(),
      () => this.remove(),
      () => this.remove(),
      () => this.deleteLast(),
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
      () => this.changeSetting(),
      () => this.close(),
      () => this.sweep(),
      () => this.readAll(),
      () => this.rename(),
      () => this.mute(),
      () => this.archive(),
      () => this.deactivate(),
      () => this.set(),
    ];
    await random.pick(actions)();
  }

  private async post(): Promise<void> {
    const author = this.random.pick(OTHER_USERS);
    const stream_id = this.random.pick(this.channels);
    const topic = this.random.pick(TOPICS);
    const to = { type: "channel", to: stream_id, topic, content: this.nextText() };
    const response = await this.request(author, "POST /messages", to);
    if (response) this.posted.push({ id: response.id, by: author, stream_id, topic });
  }

  private async direct(): Promise<void> {
    const [author, ...more] = this.random.pick([["ada"], ["cy"], ["ada", "cy"]] as const);
    const to = ["bo" as const, ...more].map((name) => this.fixture.testServer.idOf(name));
    const params = { type: "direct", to, content: this.nextText() };
    const response = await this.request(author, "POST /messages", params);
    if (response) this.written.push({ id: response.id, by: author });
  }

  /** Deletes the newest direct message. */
  private async deleteLast(): Promise<void> {
    const last = this.written.pop();
    if (last) await this.request(last.by, `DELETE /messages/${last.id}`);
  }

  private async edit(): Promise<void> {
    const message = this.pickPosted();
    await this.request(message.by, `PATCH /messages/${message.id}`, { content: this.nextText() });
  }

  private async remove(): Promise<void> {
    const { id } = this.pickPosted();
    if (await this.request("olga", `DELETE /messages/${id}`))
      this.posted = this.posted.filter((item) => item.id !== id);
  }

  private async move(): Promise<void> {
    const message = this.pickPosted();
    const topic = this.random.once(3) ? `new ${++this.number}` : this.random.pick(TOPICS);
    const mode = this.random.pick(["change_one", "change_later", "change_all"] as const);
    const stream_id = this.random.once(3) ? this.random.pick(this.channels) : undefined;
    const to = stream_id === undefined || stream_id === message.stream_id ? {} : { stream_id };
    const change = { topic, propagate_mode: mode, ...to };
    if (!(await this.request("olga", `PATCH /messages/${message.id}`, change))) return;
    const { stream_id: from, topic: was } = message;
    for (const other of this.posted) {
      const isAlong = other.stream_id === from && other.topic === was && mode !== "change_one";
      if (other !== message && !(isAlong && (mode === "change_all" || other.id > message.id)))
        continue;
      [other.topic, other.stream_id] = [topic, stream_id ?? from];
    }
  }

  private async resolve(): Promise<void> {
    const message = this.pickPosted();
    const isResolved = message.topic.startsWith(RESOLVED);
    const topic = isResolved ? message.topic.slice(RESOLVED.length) : RESOLVED + message.topic;
    const change = { topic, propagate_mode: "change_all" };
    if (!(await this.request("ada", `PATCH /messages/${message.id}`, change))) return;
    const { stream_id, topic: was } = message;
    for (const other of this.posted)
      if (other.stream_id === stream_id && other.topic === was) other.topic = topic;
  }

  private async react(): Promise<void> {
    const emoji_name = this.random.pick(EMOJI);
    const method = this.random.once(3) ? "DELETE" : "POST";
    const sender = this.random.pick(["bo", ...OTHER_USERS] as const);
    await this.request(sender, `${method} /messages/${this.pickPosted().id}/reactions`, {
      emoji_name,
    });
  }

  /** Sets or removes a flag as another device of Bo. */
  private async flag(): Promise<void> {
    const op = this.random.pick(["add", "remove"]);
    const flag = this.random.pick(FLAGS);
    await this.request("bo", "POST /messages/flags", {
      messages: [this.pickPosted().id],
      op,
      flag,
    });
  }

  private async follow(): Promise<void> {
    const { stream_id, topic } = this.pickPosted();
    const visibility_policy = this.random.pick([0, 1, 2, 3]);
    await this.request("bo", "POST /user_topics", { stream_id, topic, visibility_policy });
  }

  /** Unsubscribes or subscribes Bo, mostly in the last channel. */
  private async subscribe(): Promise<void> {
    const stream_id = this.random.once(2) ? this.channels[2]! : this.random.pick(this.channels);
    const { name } = (await this.request("olga", `GET /streams/${stream_id}`))?.stream ?? {};
    if (this.random.once(2))
      await this.request("bo", "DELETE /users/me/subscriptions", { subscriptions: [name] });
    else await this.request("bo", "POST /users/me/subscriptions", { subscriptions: [{ name }] });
  }

  private async changeSetting(): Promise<void> {
    const stream_id = this.random.pick(this.channels);
    const property = this.random.pick(["is_muted", "pin_to_top"]);
    const subscription_data = [{ stream_id, property, value: this.random.once(2) }];
    await this.request("bo", "POST /users/me/subscriptions/properties", { subscription_data });
  }

  /** Makes the last channel private, or public again. */
  private async close(): Promise<void> {
    const is_private = this.random.once(2);
    await this.request("olga", `PATCH /streams/${this.channels[2]!}`, { is_private });
  }

  private async sweep(): Promise<void> {
    const { stream_id, topic: topic_name } = this.pickPosted();
    if (!(await this.request("olga", `POST /streams/${stream_id}/delete_topic`, { topic_name })))
      return;
    const isRemoved = (item: PostedMessage) =>
      item.stream_id === stream_id && item.topic === topic_name;
    this.posted = this.posted.filter((item) => !isRemoved(item));
  }

  private async readAll(): Promise<void> {
    const { stream_id, topic: topic_name } = this.pickPosted();
    if (this.random.once(2)) await this.request("bo", "POST /mark_stream_as_read", { stream_id });
    else await this.request("bo", "POST /mark_topic_as_read", { stream_id, topic_name });
  }

  private async rename(): Promise<void> {
    const { testServer } = this.fixture;
    const n = ++this.number;
    const stream_id = this.random.pick(this.channels);
    if (this.random.once(2))
      await this.request("olga", `PATCH /streams/${stream_id}`, { new_name: `c${n}` });
    else
      await this.request("olga", `PATCH /users/${testServer.idOf("ada")}`, {
        full_name: `Ada ${n}`,
      });
  }

  private async mute(): Promise<void> {
    const method = this.random.pick(["POST", "DELETE"]);
    await this.request(
      "bo",
      `${method} /users/me/muted_users/${this.fixture.testServer.idOf("mo")}`,
    );
  }

  private async archive(): Promise<void> {
    const stream_id = this.random.pick(this.channels);
    if (this.random.once(2)) await this.request("olga", `DELETE /streams/${stream_id}`);
    else await this.request("olga", `PATCH /streams/${stream_id}`, { is_archived: false });
  }

  private async deactivate(): Promise<void> {
    const id = this.fixture.testServer.idOf(this.random.pick(["mo", "cy"]));
    if (this.random.once(2)) await this.request("olga", `DELETE /users/${id}`);
    else await this.request("olga", `POST /users/${id}/reactivate`);
  }

  private async set(): Promise<void> {
    const twenty_four_hour_time = this.random.once(2);
    await this.request("bo", "PATCH /settings", { twenty_four_hour_time });
  }

  private pickPosted(): PostedMessage {
    return this.random.pick(this.posted);
  }

  private nextText(): string {
    return [++this.number, this.random.pick(WORDS), this.random.pick(WORDS)].join(" ");
  }

  /** Skips actions without permission; no response may be a server error. */
  private async request(name: Name, line: string, params: Params = {}) {
    this.log.push(`${name} ${line} ${JSON.stringify(params)}`);
    const response = await this.fixture.testServer.send(name, line, params);
    if (response.status >= 500) throw new Error(`${name}: ${line} → ${response.status}`);
    return response.ok ? response.json() : undefined;
  }
}
