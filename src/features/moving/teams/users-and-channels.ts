// Users, teams, channels and chats of a Microsoft Teams data export.
import { keyOfUser, type SourceUser } from "../source/records-rules.ts";
import { TimeRange } from "../source/time-order.ts";
import type { Conversation } from "../source/workspace.ts";
import type { TeamsChannel, TeamsMention, TeamsMessage, TeamsTeam, TeamsUser } from "./shapes.ts";

/** The id of a chat between two users, or of a user alone. */
const CHAT = /^19:([0-9a-f-]{36})_([0-9a-f-]{36})@/;
const NOTES = "48:notes";
const ID_LENGTH_MAX = 150;

interface Team {
  readonly name: string;
  readonly isPublic: boolean;
  readonly isArchived: boolean;
  /** Id of the channel that Teams creates with the team. */
  readonly first: string | undefined;
  readonly description: string | undefined;
  readonly members: Set<string>;
}

export interface MessagesFile {
  readonly name: string;
  readonly team_id: string | undefined;
  readonly owner: string | undefined;
}

interface TeamChannel extends TeamsChannel {
  readonly team: Team;
}

export class TeamsDirectory {
  private readonly people = new Map<string, SourceUser & { id: string }>();
  readonly range = new TimeRange();
  readonly channels = new Map<string, TeamChannel>();
  /** Members of chats, as far as they are known. */
  readonly chats = new Map<string, Set<string>>();
  private readonly teams = new Map<string, Team>();
  /** Authors of each channel. */
  private readonly authors = new Map<string, Set<string>>();
  private readonly replies = new Map<string, number>();
  private readonly subjects = new Map<string, string>();
  /** Users known only from mentions, which may contain a part of their names. */
  private readonly onlyMentioned = new Set<string>();
  /** The id of the organization. */
  tenant: string | undefined;

  get users(): (SourceUser & { id: string })[] {
    return [...this.people.values()];
  }

  /** Identifies the organization. */
  get source(): string {
    return this.tenant ?? this.users.map(({ id }) => id).sort()[0] ?? "";
  }

  isUser(key: string): boolean {
    return this.people.has(key);
  }

  user(user: TeamsUser, location: string): void {
    const { Id, DisplayName, Mail, UserPrincipalName: name = "" } = user;
    if (!Id) return;
    // Accounts of other organizations have a user name that is not an email address.
    const isGuest = name.includes("#EXT#");
    const email = Mail || (isGuest ? "" : name);
    const fullName = DisplayName || Mail || name;
    const id = keyOfUser(Id);
    this.people.set(id, {
      ...{ id, name: fullName, is_restricted: isGuest, location },
      profile: { display_name: fullName, ...(email && { email }) },
    });
  }

  /** A team may be in the list of teams, in their settings, or in both. */
  team(team: TeamsTeam): void {
    const id = team.Id ?? team.GroupsId;
    if (!id) return;
    const before = this.teams.get(id);
    const visibility = team.Visibility ?? team.Privacy ?? "private";
    this.teams.set(id, {
      name: team.DisplayName || team.Name || before?.name || id,
      isPublic: visibility.toUpperCase() === "PUBLIC" && before?.isPublic !== false,
      isArchived: team.IsArchived ?? before?.isArchived ?? false,
      first: team.InternalId ?? before?.first,
      description: team.Description ?? before?.description,
      members: before?.members ?? new Set(),
    });
  }

  /** A team without a record counts as private. */
  teamOf(id: string): Team {
    if (!this.teams.has(id)) this.team({ Id: id });
    return this.teams.get(id)!;
  }

  channel(channel: TeamsChannel, team_id: string): void {
    const id = channel.Id?.slice(0, ID_LENGTH_MAX);
    if (id) this.channels.set(id, { ...channel, team: this.teamOf(team_id) });
  }

  conversationIdOf({ ChannelIdentity, ChatId }: TeamsMessage): string | undefined {
    return (ChannelIdentity?.ChannelId || ChatId || undefined)?.slice(0, ID_LENGTH_MAX);
  }

  /** `owner`: the user in whose file a chat was found. */
  surveyMessage(message: TeamsMessage, location: string, { team_id, owner }: MessagesFile): void {
    const id = this.conversationIdOf(message);
    if (id === undefined) return;
    const { Id = "", ReplyToId, Subject, From, Mentions = [] } = message;
    this.tenant ??= From?.User?.TenantId;
    const author = From?.User?.Id;
    this.someone(From?.User ?? {}, location);
    this.mentioned(Mentions, location);
    if (!isOfChat(message)) {
      if (!this.channels.has(id)) {
        this.channel({ Id: id, DisplayName: "Unknown", MembershipType: "private" }, team_id ?? "");
      }
      if (author) addTo(this.authors, id, [author]);
      if (ReplyToId) this.replies.set(`${id}/${ReplyToId}`, this.repliesTo(id, ReplyToId) + 1);
      else if (Subject?.trim()) this.subjects.set(`${id}/${Id}`, Subject.trim());
      return;
    }
    const [, first, second] = CHAT.exec(id) ?? [];
    const mentioned = Mentions.flatMap(({ Mentioned }) => Mentioned?.User?.Id ?? []);
    const people = first && second ? [first, second] : [author, owner, ...mentioned];
    addTo(
      this.chats,
      id,
      people.filter((name): name is string => Boolean(name)),
    );
  }

  /** Adds a user whom no list contains: deleted, or from another organization. */
  private someone({ Id, DisplayName }: TeamsUser, location: string): void {
    const id = keyOfUser(Id ?? "");
    const isBetter = this.onlyMentioned.has(id) && DisplayName !== undefined;
    if (!Id || (this.people.has(id) && !isBetter)) return;
    this.onlyMentioned.delete(id);
    const name = DisplayName ?? "";
    this.people.set(id, { id, name, deleted: true, location, profile: { display_name: name } });
  }

  /** Teams writes a mention for each word of a name; this joins the words. */
  private mentioned(mentions: readonly TeamsMention[], location: string): void {
    const users = mentions.flatMap(({ Mentioned }) => Mentioned?.User ?? []);
    for (const [Id, parts] of Map.groupBy(users, (user) => user.Id ?? "")) {
      const id = keyOfUser(Id);
      if (Id === "" || this.people.has(id)) continue;
      const names = [...new Set(parts.map(({ DisplayName = "" }) => DisplayName))];
      this.someone({ Id, DisplayName: names.join(" ").trim() }, location);
      this.onlyMentioned.add(id);
    }
  }

  /** Whether the id of a chat names its members, or the chat has only its owner's notes. */
  isKnownChat(id: string): boolean {
    return CHAT.test(id) || id === NOTES;
  }

  repliesTo(conversation: string, id: string): number {
    return this.replies.get(`${conversation}/${id}`) ?? 0;
  }

  subjectOf(conversation: string, id: string): string | undefined {
    return this.subjects.get(`${conversation}/${id}`);
  }

  get conversations(): Conversation[] {
    const names = Map.groupBy(this.channels.values(), (channel) => this.nameOf(channel));
    const isOne = new Set([...this.channels.values()].map(({ team }) => team)).size < 2;
    const channels = [...this.channels].map(([id, channel]): Conversation => {
      const { team, Description, CreatedDateTime, MembershipType } = channel;
      const name = this.nameOf(channel);
      const isStandard = MembershipType === "standard";
      const authors = this.authors.get(id) ?? new Set<string>();
      const members = isStandard ? new Set([...team.members, ...authors]) : authors;
      const created = Date.parse(CreatedDateTime ?? "") / 1_000;
      return {
        ...{ id, folder: id, kind: isStandard && team.isPublic ? "public" : "private" },
        name: names.get(name)!.length > 1 ? `${team.name}: ${name}` : name,
        members: [...members].map(keyOfUser),
        is_archived: team.isArchived || channel.IsArchived === true,
        purpose: { value: Description || (isFirst(channel) ? team.description : "") || "" },
        ...(created > 0 && { created: Math.floor(created) }),
        ...(!isOne && { team: team.name }),
      };
    });
    const chats = [...this.chats].map(([id, people]): Conversation => {
      const kind = people.size > 2 ? "group" : "direct";
      return { id, folder: id, kind, members: [...people].map(keyOfUser) };
    });
    return [...channels, ...chats];
  }

  /** The channel General, which each team has, is named after its team. */
  nameOf(channel: TeamChannel): string {
    return isFirst(channel) ? channel.team.name : channel.DisplayName || "Channel";
  }

  /** Names of the teams of which the export has no channel. */
  get emptyTeams(): string[] {
    const used = new Set([...this.channels.values()].map(({ team }) => team.name));
    return [...this.teams.values()].map(({ name }) => name).filter((name) => !used.has(name));
  }
}

/** Whether a message is of a chat; others are posts of channels. */
export const isOfChat = ({ ChannelIdentity }: TeamsMessage) => !ChannelIdentity?.ChannelId;

/** The channel that Teams creates with the team, which members may have renamed. */
export const isFirst = ({ Id, DisplayName, team }: TeamChannel) =>
  Id === team.first || DisplayName === "General";

function addTo(map: Map<string, Set<string>>, key: string, values: readonly string[]): void {
  const members = map.get(key) ?? new Set();
  for (const value of values) members.add(value);
  map.set(key, members);
}
