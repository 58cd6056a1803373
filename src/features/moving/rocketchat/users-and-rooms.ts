// Users, rooms and memberships of a Rocket.Chat dump.
import { UNUSABLE_RECORD } from "../archive/damage.ts";
import { Reporting } from "../report.ts";
import { shapeValue } from "../json-fields.ts";
import { keyOfUser, type SourceUser } from "../source/records-rules.ts";
import type { Conversation } from "../source/workspace.ts";
import {
  ROOM_SHAPE,
  type RocketRoom,
  type RocketSubscription,
  type RocketTeam,
  type RocketTeamMember,
  type RocketUser,
  SUBSCRIPTION,
  TEAM,
  TEAM_MEMBER,
  USER,
} from "./shapes.ts";

/** Maximum depth of nested discussions. */
const NESTING_MAX = 10;
/** The type of a team whose channels every user can read. */
const PUBLIC_TEAM = 0;

type Room = RocketRoom & { _id: string };

/** The conversation, and maybe the discussion, of a room's messages. */
export interface Destination {
  readonly conversation: Conversation;
  /** A discussion becomes a topic. */
  readonly discussion?: { readonly id: string; readonly name: string };
}

interface Team {
  readonly name: string;
  readonly isPublic: boolean;
}

interface Members {
  readonly all: Set<string>;
  readonly favorites: string[];
  readonly muted: string[];
}

export class RocketDirectory {
  readonly users: (SourceUser & { id: string })[] = [];
  readonly rooms = new Map<string, Room>();
  /** Losses of users and memberships. */
  readonly losses = new Reporting("", "");
  /** Ids of rooms by the names in their addresses. */
  private readonly roomNames = new Map<string, string>();
  private readonly usernames = new Map<string, string>();
  private readonly byRoom = new Map<string, Members>();
  private readonly teams = new Map<string, Team>();
  private readonly teamMembers = new Map<string, Set<string>>();
  /** Ids of the rooms whose members are those of a team, by team. */
  private readonly mainRooms = new Map<string, string>();
  private readonly channels = new Map<string, Conversation>();

  /** Reads a document of one of the small collections. */
  take(collection: string, value: unknown, location: string): void {
    // The shapes have the fields of the types.
    if (collection === "users") this.user(shapeValue(value, USER) as RocketUser, location);
    if (collection === "rocketchat_room")
      this.room(shapeValue(value, ROOM_SHAPE) as RocketRoom, location);
    if (collection === "rocketchat_subscription") {
      this.subscription(shapeValue(value, SUBSCRIPTION) as RocketSubscription, location);
    }
    if (collection === "rocketchat_team") this.team(shapeValue(value, TEAM) as RocketTeam);
    if (collection === "rocketchat_team_member") {
      this.teamMember(shapeValue(value, TEAM_MEMBER) as RocketTeamMember);
    }
  }

  reportLosses(reporting: Reporting): void {
    reporting.add(this.losses.report.losses);
    for (const room of this.rooms.values()) {
      const name = `#${room.fname || room.name}`;
      if (room.default) {
        reporting.lost("A channel that new users join is not a default channel.", `#${room.name}`);
      }
      if (room.t === "c" && !this.isOfPublicTeam(room)) {
        reporting.lost("A public channel of a private team becomes private.", name);
      }
    }
  }

  userKey(username: string): string | undefined {
    return this.usernames.get(username);
  }

  /** The id of a channel or discussion by its name in the address. */
  roomId(name: string): string | undefined {
    return this.roomNames.get(name);
  }

  get conversations(): Conversation[] {
    const destinations = [...this.rooms.keys()].flatMap((id) => this.destinationOf(id) ?? []);
    return [...new Set(destinations.map(({ conversation }) => conversation))];
  }

  /**
   * Identifies the server if the dump has no settings. The user `rocket.cat` exists on every
   * server, so it is skipped.
   */
  get firstUser(): string {
    const ids = this.users.map(({ id }) => id).filter((id) => id !== keyOfUser("rocket.cat"));
    return ids.sort()[0] ?? "";
  }

  destinationOf(room_id: string): Destination | undefined {
    const room = this.rooms.get(room_id);
    if (!room) return undefined;
    const parent = room.prid === undefined ? undefined : this.parentOf(room);
    if (!parent) return { conversation: this.conversationOf(room) };
    const name = room.fname || room.name || room._id;
    return { conversation: this.conversationOf(parent), discussion: { id: room._id, name } };
  }

  /** The channel of a discussion; undefined if only the discussion's own members can read it. */
  private parentOf(room: Room): Room | undefined {
    let parent = room;
    for (let depth = 0; parent.prid !== undefined; depth++) {
      const next = this.rooms.get(parent.prid);
      if (!next || depth > NESTING_MAX || next.t !== parent.t) return undefined;
      if (this.isOpen(next) && !this.isOpen(parent)) return undefined;
      parent = next;
    }
    return parent.t === "c" || parent.t === "p" ? parent : undefined;
  }

  private conversationOf(room: Room): Conversation {
    const channel = this.channels.get(room._id);
    if (channel) return channel;
    const conversation = this.conversation(room);
    this.channels.set(room._id, conversation);
    return conversation;
  }

  private conversation(room: Room): Conversation {
    const { _id: id, t, name, fname, prid, teamId = "", description, topic, announcement } = room;
    const { all, favorites = [], muted = [] } = this.byRoom.get(id) ?? {};
    const people = [...(room.uids ?? []), ...(room.servedBy?._id ? [room.servedBy._id] : [])];
    const memberKeys = (room.usernames ?? []).flatMap((username) => this.userKey(username) ?? []);
    const own = people.length > 0 ? people.map(keyOfUser) : memberKeys;
    const ofTeam = t === "c" && !this.isOfPublicTeam(room) ? this.membersOfTeam(teamId) : [];
    const members = [...new Set([...own, ...(all ?? []), ...ofTeam])];
    if (t === "d") {
      return { id, folder: id, kind: members.length > 2 ? "group" : "direct", members };
    }
    const ownName = fname || name || id;
    const parent = prid === undefined ? undefined : this.rooms.get(prid);
    // Users who can read an open discussion may not know its private channel.
    const isParentNamed = parent && (this.isOpen(parent) || !this.isOpen(room));
    const roomName = isParentNamed
      ? `${parent.fname || parent.name || "Discussion"}: ${ownName}`
      : ownName;
    const isLivechat = t !== "c" && t !== "p";
    const team = this.teams.get(teamId)?.name;
    return {
      ...{
        id,
        folder: id,
        kind: this.isOpen(room) ? "public" : "private",
        members,
        favorites,
        muted,
      },
      name: isLivechat ? `Livechat: ${roomName}` : roomName,
      is_archived: room.archived === true || (isLivechat && room.open !== true),
      isReadOnly: room.ro === true,
      purpose: { value: description ?? "" },
      topic: { value: [topic, announcement].filter(Boolean).join(" · ") },
      ...(team && { team }),
      ...(room.ts !== undefined && { created: Math.floor(room.ts / 1_000) }),
    };
  }

  /** Whether every user can read the room. */
  private isOpen(room: Room): boolean {
    return room.t === "c" && room.joinCodeRequired !== true && this.isOfPublicTeam(room);
  }

  /** A team that the dump lacks counts as private. */
  private isOfPublicTeam({ teamId = "" }: Room): boolean {
    return teamId === "" || this.teams.get(teamId)?.isPublic === true;
  }

  private membersOfTeam(id: string): string[] {
    const inMain = this.byRoom.get(this.mainRooms.get(id) ?? "")?.all ?? [];
    return [...(this.teamMembers.get(id) ?? []), ...inMain];
  }

  private team({ _id = "", name, type }: RocketTeam): void {
    if (_id) this.teams.set(_id, { name: name || _id, isPublic: type === PUBLIC_TEAM });
  }

  private teamMember({ teamId = "", userId }: RocketTeamMember): void {
    if (!userId) return;
    const members = this.teamMembers.get(teamId) ?? new Set();
    this.teamMembers.set(teamId, members.add(keyOfUser(userId)));
  }

  private user(user: RocketUser, location: string): void {
    const { _id, username, name, emails = [], roles = [], type, active, services } = user;
    const { createdAt: joined_ms } = user;
    if (!_id) return this.losses.lost(UNUSABLE_RECORD, location);
    const key = keyOfUser(_id);
    if (username) this.usernames.set(username, key);
    const email = emails.find(({ address }) => address)?.address;
    const displayName = name || username || _id;
    const is_bot = type === "bot" || type === "app" || roles.includes("bot");
    // Other types are visitors of a website, who are no users of the server.
    const isVisitor = type !== undefined && type !== "user";
    this.users.push({
      ...{ id: key, name: displayName, is_bot, location },
      profile: { display_name: displayName, ...(email && { email }) },
      deleted: active === false || isVisitor,
      is_owner: roles.includes("admin"),
      ...(joined_ms !== undefined && { joined_ms }),
      is_restricted: roles.includes("guest") || roles.includes("anonymous"),
    });
    for (const rid of user.__rooms ?? []) this.membersOf(rid).all.add(key);
    if (services?.password?.bcrypt) {
      this.losses.lost("A password cannot be imported: the user sets a new one.", location);
    }
    if (user.bio || user.statusText) {
      this.losses.lost("A biography or status of a user is left out.", location);
    }
  }

  private room(room: RocketRoom, location: string): void {
    const { _id, t, name } = room;
    if (!_id) return this.losses.lost(UNUSABLE_RECORD, location);
    this.rooms.set(_id, { ...room, _id: _id.slice(0, 100) });
    if (room.teamMain && room.teamId) this.mainRooms.set(room.teamId, _id);
    // A dump may lack the collection of teams. The main room of a private team is private.
    if (room.teamMain && room.teamId && !this.teams.has(room.teamId)) {
      const team = { name: room.fname || name || room.teamId, isPublic: t === "c" };
      this.teams.set(room.teamId, team);
    }
    if (room.joinCodeRequired && t === "c") {
      this.losses.lost("A channel with a join code becomes private.", `#${room.fname || name}`);
    }
    if (name !== undefined && (t === "c" || t === "p")) this.roomNames.set(name, _id);
  }

  private subscription(subscription: RocketSubscription, location: string): void {
    const { rid, u, f, disableNotifications, unread = 0, roles = [] } = subscription;
    if (!rid || !u?._id) return;
    const [key, { all, favorites, muted }] = [keyOfUser(u._id), this.membersOf(rid)];
    all.add(key);
    if (f) favorites.push(key);
    if (disableNotifications) muted.push(key);
    if (unread > 0) this.losses.lost("Unread messages are marked as read.", location);
    if (roles.length > 0) {
      this.losses.lost("A role in a channel, such as its owner, is left out.", location);
    }
  }

  private membersOf(rid: string): Members {
    const roomMembers = this.byRoom.get(rid);
    if (roomMembers) return roomMembers;
    const members = { all: new Set<string>(), favorites: [], muted: [] };
    this.byRoom.set(rid, members);
    return members;
  }
}
