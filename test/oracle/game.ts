// A game of random acts: the test server, the oracle's world beside it, and the dice.
import { CAST, type Name } from "../cast.ts";
import { dice } from "../features/chronicle.ts";
import { upload } from "../features/uploading.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { mayRead } from "./sight.ts";
import {
  KINDS,
  type Channel,
  type ChannelSetting,
  type Kind,
  newChannel,
  newWorld,
  type Said,
  type Setting,
  type World,
} from "./world.ts";

/** What the oracle says of one request, and what it changes when it is let through. */
export interface Act {
  who: Name;
  line: string;
  params: Params;
  isAllowed: boolean;
  does: (answer: Json) => Told[] | void;
  /** What the same person asks at once, when that was let through. */
  afterwards?: Pick<Act, "line" | "params">;
}

/** One event about a message: who has to hear it, and who else may. */
export interface Told {
  event: string;
  must: readonly Name[];
  may?: readonly Name[];
}

export const PEOPLE = Object.keys(CAST) as Name[];
export const TOPICS = ["tea", "milk", "cake", "jam"];
export const WORDS = ["alder", "cedar", "maple", "willow"];
const FIRST_KINDS: readonly Kind[] = [...KINDS, "protected"];
/** Acts on what was said long ago find nobody who would notice. */
const LATEST = 20;
const GROUPS = { crew: [], guild: ["crew"] };

export class Game {
  readonly world: World;
  readonly roll: (sides: number) => number;
  /** Said once, and deleted since. */
  readonly gone = new Set<number>();
  readonly names = new Map<number, Name>();
  private readonly groupIds = new Map<string, number>();

  constructor(
    readonly testServer: TestServer,
    seed: number,
  ) {
    this.roll = dice(seed);
    this.world = newWorld(new Map(PEOPLE.map((name) => [name, CAST[name].role])));
    for (const name of PEOPLE) this.names.set(testServer.idOf(name), name);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.roll(from.length)]!;
  }

  /** Somebody who can ask. */
  person(): Name {
    return this.pick(PEOPLE.filter((name) => !this.world.away.has(name)));
  }

  channel(): Channel {
    return this.pick([...this.world.channels.values()]);
  }

  /** Mostly one of the newest that the person can read. */
  said(who: Name): Said | undefined {
    const all = [...this.world.said.values()];
    if (all.length === 0) return undefined;
    if (this.roll(4) === 0) return this.pick(all);
    const readable = all.filter((said) => mayRead(this.world, who, said)).slice(-LATEST);
    return this.pick(readable.length === 0 ? all : readable);
  }

  /** Mostly a channel where this holds. */
  channelWhere(test: (channel: Channel) => boolean): Channel {
    const found = [...this.world.channels.values()].filter(test);
    return this.roll(4) === 0 || found.length === 0 ? this.channel() : this.pick(found);
  }

  ids(people: readonly Name[]): number[] {
    return people.map((name) => this.testServer.idOf(name));
  }

  wire({ people, groups }: Setting): Json {
    const direct_subgroups = groups.map((name) => this.groupIds.get(name)!);
    return { direct_members: this.ids(people), direct_subgroups };
  }

  groupId(name: string): number {
    return this.groupIds.get(name)!;
  }

  /** A value for a setting, which leaves the lowest group out where that is not let in. */
  setting(letsEveryone: boolean): Setting {
    const roles = ["nobody", "administrators", "moderators", "members"].map((n) => `role:${n}`);
    const groups = ["crew", "guild", ...roles, ...(letsEveryone ? ["role:everyone"] : [])];
    if (this.roll(4) > 0) return { people: [], groups: [this.pick(groups)] };
    return { people: [this.person()], groups: this.roll(2) === 0 ? ["crew"] : [] };
  }

  /** Limits short, spectators welcome, two groups, and a channel of each kind, or two. */
  async begin(): Promise<void> {
    const limits = {
      move_messages_within_stream_limit_seconds: 600,
      move_messages_between_streams_limit_seconds: 600,
    };
    await this.testServer.ask("olga", "PATCH /realm", {
      enable_spectator_access: true,
      enable_read_receipts: true,
      ...limits,
    });
    // The channels that everyone began in are none of the oracle's.
    for (const who of PEOPLE) {
      const { subscriptions } = await this.testServer.ask(who, "GET /users/me/subscriptions");
      const names = subscriptions.map((channel: Json) => channel.name);
      await this.testServer.ask(who, "DELETE /users/me/subscriptions", { subscriptions: names });
    }
    for (const [name, subgroups] of Object.entries(GROUPS)) {
      const made = { name, description: "", members: [], subgroups: this.groupsOf(subgroups) };
      const { group_id } = await this.testServer.ask("olga", "POST /user_groups/create", made);
      this.groupIds.set(name, group_id);
      this.world.groups.set(name, { members: new Set(), subgroups });
    }
    for (const who of ["ada", "bo", "gus"] as const) {
      const url = await upload(this.testServer, who, { name: "leaf.txt", bytes: who });
      this.world.files.set(url, who);
    }
    const { user_groups } = await this.testServer.ask("olga", "GET /user_groups");
    for (const { name, id } of user_groups) this.groupIds.set(name, id);
    for (const [at, kind] of FIRST_KINDS.entries()) {
      const name = `${kind} ${at}`;
      const people: Name[] = ["olga", ...PEOPLE.slice(1).filter(() => this.roll(3) === 0)];
      const params = { name, subscribers: this.ids(people), ...paramsOf(kind) };
      const { id } = await this.testServer.ask("olga", "POST /channels/create", params);
      this.addChannel(id, name, kind, people);
    }
  }

  /** The first of the people is who made it. */
  addChannel(id: number, name: string, kind: Kind, people: Name[]): void {
    const channel = newChannel(id, name, kind, people[0]!);
    for (const who of people) channel.subscribers.add(who);
    this.world.channels.set(id, channel);
  }

  grant(channel: Channel, name: ChannelSetting, value: Setting): void {
    channel.settings[name] = value;
  }

  private groupsOf(names: readonly string[]): number[] {
    return names.map((name) => this.groupIds.get(name)!);
  }
}

export async function openGame(seed: number): Promise<Game> {
  const game = new Game(await startTestServer(), seed);
  await game.begin();
  return game;
}

/** The three switches of a kind, as requests to create name them. */
export function paramsOf(kind: Kind): Params {
  return {
    invite_only: kind === "shared" || kind === "protected",
    is_web_public: kind === "web",
    history_public_to_subscribers: kind !== "protected",
  };
}
