// Random changes of visibility: clients stay in sync without registering again.
import { expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { countOf, seedsOf } from "../repetitions.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { randomSource } from "./random-history.ts";
import { until } from "../wait-until.ts";

/** Seeds that have found faults; others follow. */
const SEEDS = [...new Set([2, 3, 16, 38, ...seedsOf("sight")])].slice(0, countOf("sight"));
const ROUNDS = 4;
/** Steps of one client between two comparisons of its state. */
const STEPS = 15;
const DAY_SECONDS = 86_400;
const CHANNELS = 4;

/** These users poll. The others are changed too, and their accounts may be deactivated. */
const LISTENING: Name[] = ["ada", "mo", "bo", "gus", "bot"];
const OTHERS: Name[] = ["cy"];
const GRANTS = ["can_subscribe_group", "can_administer_channel_group", "can_add_subscribers_group"];

class RandomRun {
  readonly roll: (sides: number) => number;
  readonly channels: number[] = [];
  readonly done: string[] = [];
  private group = 0;

  constructor(
    readonly testServer: TestServer,
    seed: number,
  ) {
    this.roll = randomSource(seed * 7919);
  }

  async setUp(): Promise<void> {
    const { testServer } = this;
    await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
    const input = { name: "keepers", description: "", members: [testServer.idOf("cy")] };
    this.group = (await testServer.request("olga", "POST /user_groups/create", input)).group_id;
    for (let index = 0; index < CHANNELS; index++) {
      const invite_only = index % 2 === 1;
      const subscribers = (["olga", "bo", "cy"] as const).map((name) => testServer.idOf(name));
      const params = { name: `place ${index}`, subscribers, invite_only };
      this.channels.push((await testServer.request("olga", "POST /channels/create", params)).id);
    }
  }

  step(): Promise<void> {
    const name = this.pick([...LISTENING, ...OTHERS]);
    const stream_id = this.pick(this.channels);
    switch (this.roll(20)) {
      case 16:
        return this.mute(name, stream_id);
      case 17:
        return this.toggleSubgroup();
      case 18:
        return this.archiveChannel();
      case 19:
        return this.rename(name, stream_id);
      case 0:
      case 1:
        return this.changeRole(name);
      case 2:
        return this.setGrant(stream_id);
      case 3:
        return this.setPrivacy(stream_id);
      case 4:
      case 5:
        return this.join(name, stream_id);
      case 6:
      case 7:
        return this.leave(name, stream_id);
      case 8:
        return this.archive(stream_id);
      case 9:
        return this.addMember(name);
      case 10:
        return this.wait();
      case 11:
        return this.hideAddress(this.pick(["ada", "mo", "bo", "cy", "gus"]));
      case 12:
        return this.limitGuests();
      case 13:
        return this.toggleActive(this.pick(OTHERS));
      case 14:
        return this.postMessage(name, stream_id);
      default:
        return this.addPersonalRows(name, stream_id);
    }
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.roll(from.length)]!;
  }

  private get read() {
    return this.testServer.realm.read;
  }

  private role(name: string): number {
    return this.read.groups.findBy("name", `role:${name}`)!.id;
  }

  /** A request without permission is rejected and changes nothing. */
  private async request(requester: Name, line: string, params: Params = {}): Promise<void> {
    const response = await this.testServer.send(requester, line, params);
    const { msg } = (await response.json()) as Json;
    this.done.push(`${requester}: ${line} ${JSON.stringify(params)} ${response.status} ${msg}`);
    expect(response.status).toBeLessThan(500);
  }

  private changeRole(name: Name): Promise<void> {
    const role = this.pick([100, 200, 300, 400, 600]);
    return this.request("olga", `PATCH /users/${this.testServer.idOf(name)}`, { role });
  }

  private setGrant(stream_id: number): Promise<void> {
    const people = { direct_members: [this.testServer.idOf(this.pick(LISTENING))] };
    const groups = [this.group, this.role("fullmembers"), this.role("moderators")];
    const mixed = { ...people, direct_subgroups: [this.pick(groups)] };
    const value = this.pick([this.role("nobody"), this.role("nobody"), ...groups, mixed]);
    return this.request("olga", `PATCH /streams/${stream_id}`, {
      [this.pick(GRANTS)]: { new: value },
    });
  }

  private setPrivacy(stream_id: number): Promise<void> {
    const kind = this.pick([
      { is_private: true, history_public_to_subscribers: true },
      { is_private: true, history_public_to_subscribers: false },
      { is_private: false, is_web_public: false },
      { is_web_public: true, is_private: false },
    ]);
    return this.request("olga", `PATCH /streams/${stream_id}`, kind);
  }

  private join(userName: Name, stream_id: number): Promise<void> {
    const { name } = this.read.channels.get(stream_id)!;
    return this.request("olga", "POST /users/me/subscriptions", {
      subscriptions: [{ name }],
      principals: [this.testServer.idOf(userName)],
    });
  }

  private leave(userName: Name, stream_id: number): Promise<void> {
    const { name } = this.read.channels.get(stream_id)!;
    return this.request("olga", "DELETE /users/me/subscriptions", {
      subscriptions: [name],
      principals: [this.testServer.idOf(userName)],
    });
  }

  private archive(stream_id: number): Promise<void> {
    const line = `/streams/${stream_id}`;
    if (!this.read.channels.get(stream_id)!.is_archived)
      return this.request("olga", `DELETE ${line}`);
    return this.request("olga", `PATCH ${line}`, { is_archived: false });
  }

  private addMember(name: Name): Promise<void> {
    const user_id = this.testServer.idOf(name);
    const isIncluded = this.read.group_members.has(this.group, user_id);
    const change = { [isIncluded ? "delete" : "add"]: [user_id] };
    return this.request("olga", `POST /user_groups/${this.group}/members`, change);
  }

  /** Lets users become full members, or new members again. */
  private async wait(): Promise<void> {
    if (this.roll(2) === 0) {
      const waiting_period_threshold = this.pick([0, 1, 3, 30]);
      return this.request("olga", "PATCH /realm", { waiting_period_threshold });
    }
    this.done.push("a day passes");
    this.testServer.clock.passSeconds(DAY_SECONDS);
    const { realm, clock } = this.testServer;
    realm.onDue();
    const isDue = () => [...realm.read.due.range()].some(({ at: time }) => time <= clock.now());
    await until(() => !isDue());
  }

  private hideAddress(name: Name): Promise<void> {
    const email_address_visibility = this.pick([1, 2, 3, 4, 5]);
    return this.request(name, "PATCH /settings", { email_address_visibility });
  }

  private limitGuests(): Promise<void> {
    const to = this.pick(["everyone", "members"]);
    const can_access_all_users_group = { new: this.role(to) };
    return this.request("olga", "PATCH /realm", { can_access_all_users_group });
  }

  private toggleActive(name: Name): Promise<void> {
    const user_id = this.testServer.idOf(name);
    const isOn = this.read.users.get(user_id)!.is_active;
    return this.request(
      "olga",
      isOn ? `DELETE /users/${user_id}` : `POST /users/${user_id}/reactivate`,
    );
  }

  private mute(name: Name, stream_id: number): Promise<void> {
    const property = this.pick(["is_muted", "pin_to_top", "desktop_notifications"]);
    const subscription_data = [{ stream_id, property, value: this.roll(2) === 0 }];
    return this.request(name, "POST /users/me/subscriptions/properties", { subscription_data });
  }

  private toggleSubgroup(): Promise<void> {
    const below = this.role(this.pick(["moderators", "fullmembers", "everyone"]));
    const isIncluded = this.read.groups.get(this.group)!.direct_subgroup_ids.includes(below);
    const change = { [isIncluded ? "delete" : "add"]: [below] };
    return this.request("olga", `POST /user_groups/${this.group}/subgroups`, change);
  }

  private archiveChannel(): Promise<void> {
    const line = `/user_groups/${this.group}`;
    if (!this.read.groups.get(this.group)!.deactivated) {
      return this.request("olga", `POST ${line}/deactivate`);
    }
    return this.request("olga", `PATCH ${line}`, { deactivated: false });
  }

  private rename(userName: Name, stream_id: number): Promise<void> {
    const name = `called ${this.roll(1000)}`;
    if (this.roll(2) === 0) {
      return this.request("olga", `PATCH /users/${this.testServer.idOf(userName)}`, {
        full_name: name,
      });
    }
    return this.request("olga", `PATCH /streams/${stream_id}`, { new_name: name });
  }

  private postMessage(name: Name, stream_id: number): Promise<void> {
    const requester = this.pick([name, "olga"] as const);
    const content = `hello @**${this.read.users.get(this.testServer.idOf(name))!.full_name}**`;
    const direct = { type: "direct", to: [this.testServer.idOf(this.pick(LISTENING))] };
    const inChannel = { type: "stream", to: stream_id, topic: this.pick(["tea", "Milk"]) };
    return this.request(requester, "POST /messages", {
      ...this.pick([direct, inChannel]),
      content,
    });
  }

  private addPersonalRows(name: Name, stream_id: number): Promise<void> {
    if (this.roll(2) === 0) {
      const messages = [this.read.last("messages")];
      return this.request(name, "POST /messages/flags", { messages, op: "add", flag: "starred" });
    }
    const visibility_policy = this.pick([0, 1, 2, 3]);
    return this.request(name, "POST /user_topics", { stream_id, topic: "tea", visibility_policy });
  }
}

for (const seed of SEEDS) {
  test(`keeps clients consistent when visibility changes randomly: ${seed}`, async () => {
    const testServer = await startTestServer();
    const lives = new RandomRun(testServer, seed);
    try {
      await lives.setUp();
      for (let round = 0; round < ROUNDS; round++) {
        await staysInSync(testServer, LISTENING, async () => {
          lives.done.length = 0;
          for (let step = 0; step < STEPS; step++) await lives.step();
        });
      }
    } catch (error) {
      throw new Error(`after\n${lives.done.join("\n")}`, { cause: error });
    } finally {
      await testServer.close();
    }
  });
}
