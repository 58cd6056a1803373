// Teams, channels, users and conversations of a Mattermost export.
import { INCOMPLETE_MESSAGE } from "../archive/damage.ts";
import type { MovingRefused } from "../errors.ts";
import { Reporting } from "../report.ts";
import { shapeValue } from "../json-fields.ts";
import type { SourceUser } from "../source/records-rules.ts";
import { TimeRange } from "../source/time-order.ts";
import type { Conversation } from "../source/workspace.ts";
import {
  CHANNEL,
  isComplete,
  type MattermostChannel,
  type MattermostNamed,
  type MattermostPost,
  type MattermostUser,
  NAMED_SHAPE,
  POST,
  USER,
} from "./shapes.ts";

/** Keys of users start with a U, like Slack's. */
export const keyOfUser = (name: string) => `U:${name.toLowerCase().slice(0, 90)}`;

const SUPPORTED_TYPES: ReadonlySet<string> = new Set([
  ...["", "version", "scheme", "role", "team", "channel", "user", "bot", "emoji"],
  ...["post", "direct_channel", "direct_post"],
]);

interface Members {
  readonly all: string[];
  readonly favorites: string[];
  readonly muted: string[];
  /** When each member last viewed the channel, with the location of the record. */
  readonly viewed: (readonly [at: number, location: string])[];
}

const noMembers = (): Members => ({ all: [], favorites: [], muted: [], viewed: [] });

export class MattermostDirectory {
  readonly users: (SourceUser & { id: string })[] = [];
  /** The path of the picture of each custom emoji, and the location of its record. */
  readonly emoji = new Map<string, { image: string; location: string }>();
  private readonly channels = new Map<string, Conversation>();
  private readonly members = new Map<string, Members>();
  private readonly teamNames = new Map<string, string>();
  /** Teams that users join only by invitation. */
  private readonly closedTeams = new Set<string>();
  private readonly channelNames = new Set<string>();
  readonly range = new TimeRange();
  /** Why the first damaged line cannot be read. */
  damage: MovingRefused | undefined;
  private readonly losses = new Reporting("", "");
  /** The time of the newest post of each conversation. */
  private readonly newest = new Map<string, number>();

  get teams(): string[] {
    return [...this.teamNames.keys()];
  }

  /** Each conversation has its members, and its team if there are several. */
  get conversations(): Conversation[] {
    const isOne = this.teamNames.size < 2;
    return [...this.channels.values()].map((conversation) => {
      const { all, favorites, muted } = this.members.get(conversation.id) ?? noMembers();
      const members = [...new Set([...(conversation.members ?? []), ...all])];
      const { team = "", ...rest } = conversation;
      const teamField = team === "" || isOne ? {} : { team: this.teamNames.get(team) ?? team };
      // In Mattermost, members of other teams could not read the channel. Here, every member can
      // read public channels, so it becomes private.
      const kind = this.isClosed(team) && rest.kind === "public" ? "private" : rest.kind;
      return { ...rest, ...teamField, kind, members, favorites, muted };
    });
  }

  private isClosed(team: string): boolean {
    return this.teamNames.size > 1 && this.closedTeams.has(team);
  }

  userKey(name: string): string | undefined {
    const key = keyOfUser(name);
    return this.channelNames.has(key) ? key : undefined;
  }

  byKey(key: string): Conversation | undefined {
    return this.channels.get(key);
  }

  conversationOf(type: string, post: MattermostPost): Conversation | undefined {
    if (type === "direct_post") return this.byKey(directKey(post.channel_members ?? []));
    return this.byKey(channelKey(post.team, post.channel));
  }

  /**
   * Reads one line of the export; its type is "" if it has no record. The validated shapes have the
   * fields of the types.
   */
  take(type: string, value: unknown, location: string): void {
    if (type === "") this.losses.lost("A line has no record: it is left out.", location);
    if (type === "team") this.team(shapeValue(value, NAMED_SHAPE) as MattermostNamed);
    if (type === "channel") this.channel(shapeValue(value, CHANNEL) as MattermostChannel);
    if (type === "user") this.user(shapeValue(value, USER) as MattermostUser, location);
    if (type === "bot") this.bot(shapeValue(value, NAMED_SHAPE) as MattermostNamed, location);
    if (type === "role" || type === "scheme") {
      this.losses.lost("A role or permission scheme is left out.", location);
    }
    if (type === "emoji") {
      const { name, image } = shapeValue(value, NAMED_SHAPE) as MattermostNamed;
      if (name) this.emoji.set(name, { image: image ?? "", location });
    }
    if (!SUPPORTED_TYPES.has(type)) {
      this.losses.lost("A record of an unknown kind is left out.", `${location} ${type}`);
    }
    if (type === "direct_channel") this.direct(value, location);
    if (type === "post" || type === "direct_post") this.post(type, value, location);
  }

  private team({ name = "", display_name, type, allow_open_invite }: MattermostNamed): void {
    this.teamNames.set(name, display_name || name);
    if (!(allow_open_invite ?? type !== "I")) this.closedTeams.add(name);
  }

  private channel({ team = "", name = "", ...channel }: MattermostChannel): void {
    const id = channelKey(team, name);
    this.channels.set(id, {
      ...{ id, folder: id, team, kind: channel.type === "O" ? "public" : "private" },
      name: channel.display_name || name,
      is_archived: (channel.deleted_at ?? 0) > 0,
      purpose: { value: channel.purpose ?? "" },
      topic: { value: channel.header ?? "" },
    });
  }

  private user(user: MattermostUser, location: string): void {
    const { username = "", nickname, first_name, last_name, email, roles = "" } = user;
    if (!username) return;
    this.noteLosses(user, location);
    const { profile_image: picture, create_at: joined_ms } = user;
    const id = keyOfUser(username);
    this.channelNames.add(id);
    const fullName = [first_name, last_name].filter(Boolean).join(" ");
    this.users.push({
      ...{ id, name: username, real_name: fullName || nickname || username },
      profile: { display_name: fullName || nickname || username, ...(email && { email }) },
      deleted: (user.delete_at ?? 0) > 0,
      is_owner: roles.includes("system_admin"),
      is_restricted: roles.includes("guest"),
      ...(joined_ms !== undefined && { joined_ms }),
      location,
      ...(picture && { picture }),
    });
    for (const team of user.teams ?? []) {
      for (const membership of team.channels ?? []) {
        const { name = "", favorite, notify_props, last_viewed_at = 0 } = membership;
        const key = channelKey(team.name, name);
        const members = this.members.get(key) ?? noMembers();
        this.members.set(key, members);
        members.all.push(id);
        if (favorite) members.favorites.push(id);
        // Mattermost shows a muted channel as unread only for mentions.
        if (notify_props?.mark_unread === "mention") members.muted.push(id);
        if (last_viewed_at > 0) members.viewed.push([last_viewed_at, location]);
      }
    }
  }

  private noteLosses(user: MattermostUser, location: string): void {
    const { position, custom_status, notify_props, teams = [], nickname } = user;
    const reportLoss = (kind: string) => this.losses.lost(kind, location);
    if (nickname && (user.first_name || user.last_name)) {
      reportLoss("A nickname of a user is left out: the full name is imported.");
    }
    if (position) reportLoss("A position of a user is left out.");
    if (custom_status) reportLoss("A custom status of a user is left out.");
    if (notify_props) reportLoss("Notification settings of a user are left out.");
    const memberships = teams.flatMap((team) => [team, ...(team.channels ?? [])]);
    if (memberships.some(({ roles = "" }) => /(?:team|channel)_admin/.test(roles))) {
      reportLoss("An administrator of a team or channel becomes a member of its channels.");
    }
  }

  private bot(bot: MattermostNamed, location: string): void {
    const { username = "", display_name, delete_at = 0, profile_image: picture } = bot;
    if (!username) return;
    const id = keyOfUser(username);
    this.channelNames.add(id);
    const name = display_name || username;
    this.users.push({
      ...{ id, name, real_name: name, is_bot: true, deleted: delete_at > 0, location },
      ...(picture && { picture }),
    });
  }

  /** Newer versions list participants, older ones members. */
  private direct(value: unknown, location: string): void {
    const shape = {
      members: ["text"],
      header: "text",
      favorited_by: ["text"],
      participants: [{ username: "text", last_viewed_at: "number" }],
    } as const;
    const {
      members = [],
      participants = [],
      ...more
    } = shapeValue(value, shape) as {
      members?: string[];
      header?: string;
      favorited_by?: string[];
      participants?: { username?: string; last_viewed_at?: number }[];
    };
    const people = participants.flatMap(({ username }) => username ?? []);
    const usernames = people.length > 0 ? people : members;
    this.addDirect(usernames);
    if (more.header) this.losses.lost("A header of a direct conversation is left out.", location);
    if (more.favorited_by?.length) {
      this.losses.lost("A favorite direct conversation is not pinned.", location);
    }
    const memberships = noMembers();
    for (const { last_viewed_at = 0 } of participants) {
      if (last_viewed_at > 0) memberships.viewed.push([last_viewed_at, location]);
    }
    this.members.set(directKey(usernames), memberships);
  }

  reportLosses(reporting: Reporting): void {
    reporting.add(this.losses.report.losses);
    if (this.teamNames.size > 1) {
      for (const { kind, name, team } of this.channels.values()) {
        if (kind !== "public" || team === undefined) continue;
        reporting.lost(this.isClosed(team) ? BECOMES_PRIVATE : JOINED_BY_ALL, `#${name}`);
      }
    }
    for (const [id, { viewed }] of this.members) {
      const newest = this.newest.get(id) ?? 0;
      const unread = viewed.filter(([viewedAt]) => viewedAt < newest);
      for (const [, location] of unread) {
        reporting.lost("Unread messages of a conversation are marked as read.", location);
      }
    }
  }

  private addDirect(usernames: readonly string[]): void {
    const id = directKey(usernames);
    const members = usernames.map(keyOfUser);
    const kind = usernames.length > 2 ? "group" : "direct";
    if (usernames.length > 0) this.channels.set(id, { id, folder: id, kind, members });
  }

  private post(type: string, value: unknown, location: string): void {
    const post = shapeValue(value, POST) as MattermostPost;
    const { team = "", channel = "", channel_members = [] } = post;
    if (!this.conversationOf(type, post)) {
      if (type === "direct_post") this.addDirect(channel_members);
      // The export does not have the channel, so it may have been a private one.
      else {
        this.channel({ team, name: channel, type: "P", deleted_at: 1 });
        const kind =
          "A post is of a channel that is not in the export: it is archived and private.";
        this.losses.lost(kind, `${location} #${channel}`);
      }
    }
    const id = this.conversationOf(type, post)?.id ?? "";
    for (const threadPost of [post, ...(post.replies ?? [])]) {
      if (isComplete(threadPost)) {
        this.range.record(threadPost.create_at);
        this.newest.set(id, Math.max(this.newest.get(id) ?? 0, threadPost.create_at));
      } else this.losses.lost(INCOMPLETE_MESSAGE, location);
    }
  }
}

const JOINED_BY_ALL =
  "A public channel of a team can be joined by members of the other teams, too.";
const BECOMES_PRIVATE =
  "A public channel of a team that users join by invitation becomes private, since the archive " +
  "has several teams.";

const CHANNEL_KEY_LENGTH_MAX = 200;

/** Longer keys end in a hash, so that groups with the same first members differ. */
function keyOf(text: string): string {
  if (text.length <= CHANNEL_KEY_LENGTH_MAX) return text;
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  return `${text.slice(0, CHANNEL_KEY_LENGTH_MAX - hash.length)}${hash}`.toWellFormed();
}

export const channelKey = (team = "", name = "") => keyOf(`${team}/${name}`);

/** Begins with `@/`, unlike the keys of channels, which begin with the name of a team. */
const directKey = (usernames: readonly string[]) =>
  keyOf(`@/${[...new Set(usernames.map((name) => name.toLowerCase()))].sort().join(",")}`);
