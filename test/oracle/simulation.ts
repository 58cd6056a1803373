// A simulation of users: the test server, the oracle's model, and the random numbers.
import { CAST, type Name } from "../users.ts";
import { randomSource } from "../features/random-history.ts";
import { upload } from "../features/upload-fixture.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { canRead } from "./visibility.ts";
import {
  KINDS,
  type Channel,
  type ChannelSetting,
  type Kind,
  newChannel,
  newWorld,
  type ModelMessage,
  type Setting,
  type Model,
} from "./model.ts";

/** The oracle's verdict on a request, and its changes if it succeeds. */
export interface Action {
  who: Name;
  line: string;
  params: Params;
  isAllowed: boolean;
  apply: (response: Json) => ExpectedEvent[] | void;
  /** A request that the same user sends right after success. */
  afterwards?: Pick<Action, "line" | "params">;
}

/** An event about a message: its required and optional recipients. */
export interface ExpectedEvent {
  event: string;
  receivers: readonly Name[];
  possibleReceivers?: readonly Name[];
}

export const PEOPLE = Object.keys(CAST) as Name[];
export const TOPICS = ["tea", "milk", "cake", "jam"];
export const WORDS = ["alder", "cedar", "maple", "willow"];
const FIRST_KINDS: readonly Kind[] = [...KINDS, "protected"];
/**
 * Actions mostly affect this many of the newest readable messages, since few users still have older
 * ones.
 */
const LATEST = 20;
const GROUPS = { crew: [], guild: ["crew"] };

export class Simulation {
  readonly model: Model;
  readonly roll: (sides: number) => number;
  /** Ids of deleted messages. */
  readonly gone = new Set<number>();
  readonly names = new Map<number, Name>();
  private readonly groupIds = new Map<string, number>();

  constructor(
    readonly testServer: TestServer,
    seed: number,
  ) {
    this.roll = randomSource(seed);
    this.model = newWorld(new Map(PEOPLE.map((name) => [name, CAST[name].role])));
    for (const name of PEOPLE) this.names.set(testServer.idOf(name), name);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.roll(from.length)]!;
  }

  /** A user who can send requests. */
  pickPerson(): Name {
    return this.pick(PEOPLE.filter((name) => !this.model.absent.has(name)));
  }

  pickChannel(): Channel {
    return this.pick([...this.model.channels.values()]);
  }

  /** Returns a message, mostly one of the newest that the user can read. */
  pickMessage(name: Name): ModelMessage | undefined {
    const all = [...this.model.messages.values()];
    if (all.length === 0) return undefined;
    if (this.roll(4) === 0) return this.pick(all);
    const readable = all.filter((message) => canRead(this.model, name, message)).slice(-LATEST);
    return this.pick(readable.length === 0 ? all : readable);
  }

  /** Returns a channel, mostly one for which the test is true. */
  pickChannelWhere(test: (channel: Channel) => boolean): Channel {
    const found = [...this.model.channels.values()].filter(test);
    return this.roll(4) === 0 || found.length === 0 ? this.pickChannel() : this.pick(found);
  }

  ids(people: readonly Name[]): number[] {
    return people.map((name) => this.testServer.idOf(name));
  }

  settingParams({ people, groups }: Setting): Json {
    const direct_subgroups = groups.map((name) => this.groupIds.get(name)!);
    return { direct_members: this.ids(people), direct_subgroups };
  }

  groupId(name: string): number {
    return this.groupIds.get(name)!;
  }

  /**
   * Returns a random value for a setting; it includes the group of everyone only if `letsEveryone`.
   */
  randomSetting(allowsEveryone: boolean): Setting {
    const roles = ["nobody", "administrators", "moderators", "members"].map((n) => `role:${n}`);
    const groups = ["crew", "guild", ...roles, ...(allowsEveryone ? ["role:everyone"] : [])];
    if (this.roll(4) > 0) return { people: [], groups: [this.pick(groups)] };
    return { people: [this.pickPerson()], groups: this.roll(2) === 0 ? ["crew"] : [] };
  }

  /**
   * Sets short limits, allows spectators, and creates two groups and one or two channels per kind.
   */
  async begin(): Promise<void> {
    const limits = {
      move_messages_within_stream_limit_seconds: 600,
      move_messages_between_streams_limit_seconds: 600,
    };
    await this.testServer.request("olga", "PATCH /realm", {
      enable_spectator_access: true,
      enable_read_receipts: true,
      ...limits,
    });
    // All users leave their initial channels, which the oracle does not model.
    for (const name of PEOPLE) {
      const { subscriptions } = await this.testServer.request(name, "GET /users/me/subscriptions");
      const names = subscriptions.map((channel: Json) => channel.name);
      await this.testServer.request(name, "DELETE /users/me/subscriptions", {
        subscriptions: names,
      });
    }
    for (const [name, subgroups] of Object.entries(GROUPS)) {
      const params = { name, description: "", members: [], subgroups: this.groupsOf(subgroups) };
      const { group_id } = await this.testServer.request(
        "olga",
        "POST /user_groups/create",
        params,
      );
      this.groupIds.set(name, group_id);
      this.model.groups.set(name, { members: new Set(), subgroups });
    }
    for (const name of ["ada", "bo", "gus"] as const) {
      const url = await upload(this.testServer, name, { name: "leaf.txt", bytes: name });
      this.model.files.set(url, name);
    }
    const { user_groups } = await this.testServer.request("olga", "GET /user_groups");
    for (const { name, id } of user_groups) this.groupIds.set(name, id);
    for (const [index, kind] of FIRST_KINDS.entries()) {
      const name = `${kind} ${index}`;
      const people: Name[] = ["olga", ...PEOPLE.slice(1).filter(() => this.roll(3) === 0)];
      const params = { name, subscribers: this.ids(people), ...paramsOf(kind) };
      const { id } = await this.testServer.request("olga", "POST /channels/create", params);
      this.addChannel(id, name, kind, people);
    }
  }

  /** Adds a channel; `people[0]` is its creator. */
  addChannel(id: number, name: string, kind: Kind, people: Name[]): void {
    const channel = newChannel(id, name, kind, people[0]!);
    for (const name of people) channel.subscribers.add(name);
    this.model.channels.set(id, channel);
  }

  grant(channel: Channel, name: ChannelSetting, value: Setting): void {
    channel.settings[name] = value;
  }

  private groupsOf(names: readonly string[]): number[] {
    return names.map((name) => this.groupIds.get(name)!);
  }
}

export async function openSimulation(seed: number): Promise<Simulation> {
  const sim = new Simulation(await startTestServer(), seed);
  await sim.begin();
  return sim;
}

/** The three switches of a kind, as requests to create name them. */
export function paramsOf(kind: Kind): Params {
  return {
    invite_only: kind === "shared" || kind === "protected",
    is_web_public: kind === "web",
    history_public_to_subscribers: kind !== "protected",
  };
}
