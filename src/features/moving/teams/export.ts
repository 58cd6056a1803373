// A Microsoft Teams data export: lists of users and teams, and messages of teams and users.
import type { Archive } from "../archive/entries.ts";
import {
  countDamage,
  type Damage,
  ignoreDamage,
  INCOMPLETE_MESSAGE,
  refuseDamage,
  UNUSABLE_RECORD,
} from "../archive/damage.ts";
import { cutListIn, listIn, rowsIn } from "../archive/json-tables.ts";
import { MovingRefused } from "../errors.ts";
import { Reporting } from "../report.ts";
import { type Shape, shapeValue } from "../json-fields.ts";
import type { SourceUser } from "../source/records-rules.ts";
import { inTimeOrder, type Timed } from "../source/time-order.ts";
import type { Conversation, FoundMessage, Workspace, SourceEmoji } from "../source/workspace.ts";
import type { LinkTarget } from "../source/links.ts";
import { linkTargetOf } from "./permalinks.ts";
import { messageOf, timeOf } from "./messages.ts";
import {
  CHANNEL,
  MEMBER,
  MESSAGE,
  TEAM,
  type TeamsChannel,
  type TeamsMessage,
  type TeamsTeam,
  type TeamsUser,
  USER,
} from "./shapes.ts";
import { isFirst, type MessagesFile, TeamsDirectory } from "./users-and-channels.ts";

const USERS = "users/usersList.json";
const FILE = /^(teams|users)\/([^/]+)\/([A-Za-z]+)_[^/]+\.json$/;
const LISTS = ["teams/teamsList.json", "teams/teamsSettings.json"];

export class TeamsExport implements Workspace {
  readonly product = "teams";
  readonly label = "Microsoft Teams";
  readonly recognizedBy = "conversations";
  readonly emoji: SourceEmoji = new Map();
  private readonly sources = new TeamsDirectory();
  private readonly losses = new Reporting("", "");
  /** Users, teams and channels are essential; other files are left out if they are damaged. */
  private readonly essential = refuseDamage((location) =>
    this.losses.lost(UNUSABLE_RECORD, location),
  );
  private readonly optional = countDamage(this.losses, UNUSABLE_RECORD);
  private readonly files: MessagesFile[] = [];

  private constructor(
    private readonly archive: Archive,
    private readonly root: string,
  ) {}

  /** undefined: the archive has no list of users and teams. */
  static async open(archive: Archive): Promise<TeamsExport | undefined> {
    const lists = [...archive.sizes.keys()].filter((name) => name.endsWith(USERS));
    if (lists.length === 0) return undefined;
    if (lists.length > 1) throw new MovingRefused("There are several exports in it", lists[1]);
    const teamsExport = new TeamsExport(archive, lists[0]!.slice(0, -USERS.length));
    await teamsExport.readLists();
    for (const file of teamsExport.files) await teamsExport.surveyFile(file);
    return teamsExport;
  }

  get users(): readonly (SourceUser & { id: string })[] {
    return this.sources.users;
  }

  get conversations(): readonly Conversation[] {
    return this.sources.conversations;
  }

  get source(): string {
    return this.sources.source;
  }

  get damage(): MovingRefused | undefined {
    return this.losses.damage;
  }

  reportLosses(reporting: Reporting): void {
    reporting.add(this.losses.report.losses);
    for (const team of this.sources.emptyTeams) {
      reporting.lost("A team has no channels in the export: it is left out.", team);
    }
    for (const channel of this.sources.channels.values()) {
      const { DisplayName = "", MembershipType } = channel;
      const name = this.sources.nameOf(channel);
      if (isFirst(channel) && DisplayName !== "General" && DisplayName !== name) {
        const kind = "The first channel of a team gets the name of the team.";
        reporting.lost(kind, `#${DisplayName} → #${name}`);
      }
      if (MembershipType === "standard") continue;
      const kind = "The members of a private channel are not in the export: they are its authors.";
      reporting.lost(kind, `#${DisplayName}`);
    }
    for (const id of this.sources.chats.keys()) {
      if (this.sources.isKnownChat(id)) continue;
      const kind = "The members of a chat are not in the export: only some of them are known.";
      reporting.lost(kind, id);
    }
  }

  /** Yields each chat message once, although several users' files contain it. */
  async *messages(): AsyncIterable<FoundMessage> {
    const byKey = new Map(
      this.conversations.map((conversation) => [conversation.id, conversation]),
    );
    let [time, keys] = [0, new Set<string>()];
    for await (const { key, ...sourceMessage } of inTimeOrder(
      "messages",
      this.sources.range,
      this.all(),
    )) {
      if (sourceMessage.time !== time) [time, keys] = [sourceMessage.time, new Set()];
      const fullKey = `${key}/${sourceMessage.message.key}`;
      if (!keys.has(fullKey)) yield { ...sourceMessage, conversation: byKey.get(key)! };
      keys.add(fullKey);
    }
  }

  linkTarget(url: URL): LinkTarget | undefined {
    return linkTargetOf(url, this.sources.tenant);
  }

  /** The export has no files. */
  entryOf(): undefined {
    return undefined;
  }

  sizeOf(): number {
    return 0;
  }

  stream(entry: string): AsyncIterable<Uint8Array> {
    return this.archive.stream(entry);
  }

  private async readLists(): Promise<void> {
    const { archive, root, sources } = this;
    for await (const { row, location } of this.rows(USERS, USER, this.essential)) {
      const user = row as TeamsUser;
      sources.user(user, location);
      if (user.JobTitle) this.losses.lost("A job title of a user is left out.", location);
    }
    for (const list of LISTS.filter((name) => archive.sizes.has(root + name))) {
      for await (const { row } of this.rows(list, TEAM, this.essential)) {
        sources.team(row as TeamsTeam);
      }
    }
    for (const name of archive.sizes.keys()) {
      const relativePath = name.startsWith(root) ? name.slice(root.length) : "";
      const [, kind, id = "", fileKind = ""] = FILE.exec(relativePath) ?? [];
      if (kind === "teams") await this.ofTeam(relativePath, id, fileKind);
      else if (kind === "users") await this.ofUser(relativePath, id, fileKind);
    }
  }

  private async ofTeam(name: string, id: string, fileKind: string): Promise<void> {
    const { sources } = this;
    if (fileKind === "messages") this.files.push({ name, team_id: id, owner: undefined });
    if (fileKind === "channels") {
      for await (const { row } of this.rows(name, CHANNEL, this.essential))
        sources.channel(row as TeamsChannel, id);
    }
    if (fileKind === "teamMembers") {
      for await (const { row, location } of this.rows(name, MEMBER)) {
        const { UserId } = row as { UserId?: string };
        if (UserId) sources.teamOf(id).members.add(UserId);
        this.losses.lost("Whether a member owns a team is not in the export.", location);
      }
    }
    if (fileKind === "teamInstalledApps")
      await this.leaveOut(name, "An app of a team is left out.");
  }

  private async ofUser(name: string, id: string, fileKind: string): Promise<void> {
    if (fileKind === "messages") this.files.push({ name, team_id: undefined, owner: id });
    if (fileKind === "meetings") await this.leaveOut(name, "A meeting in a calendar is left out.");
  }

  private async leaveOut(name: string, kind: string): Promise<void> {
    for await (const { location } of this.rows(name, {})) this.losses.lost(kind, location);
  }

  private async surveyFile(file: MessagesFile): Promise<void> {
    for await (const { row, location } of this.rows(file.name, MESSAGE)) {
      const message = row as TeamsMessage;
      const time = timeOf(message);
      if (time === undefined) {
        this.losses.lost(INCOMPLETE_MESSAGE, location);
        continue;
      }
      if (this.sources.conversationIdOf(message) === undefined) {
        this.losses.lost("A message names no channel or chat: it is left out.", location);
        continue;
      }
      this.sources.range.record(time);
      this.sources.surveyMessage(message, location, file);
    }
  }

  private async *all(): AsyncIterable<Timed> {
    for (const { name } of this.files) {
      // The first pass has counted the losses.
      for await (const { row, location } of this.rows(name, MESSAGE, ignoreDamage)) {
        const message = row as TeamsMessage;
        const key = this.sources.conversationIdOf(message);
        if (key === undefined) continue;
        const converted = messageOf(message, key, this.sources);
        if (converted) yield { ...converted, key, location };
      }
    }
  }

  /** Callers assert the type whose fields the shape has. */
  private async *rows(
    name: string,
    shape: Shape,
    damage: Damage = this.optional,
  ): AsyncIterable<{ row: unknown; location: string }> {
    const [{ archive }, path] = [this, this.root + name];
    const isEssential = damage === this.essential;
    const list = isEssential
      ? await listIn(archive, path)
      : await cutListIn(archive, path, name, damage);
    for await (const { row, location } of rowsIn(archive, path, name, list, damage)) {
      yield { row: shapeValue(row, shape), location };
    }
  }
}
