// Accounts of a Zulip export: users, bots, placeholders and system bots.
import { GUEST, MEMBER } from "../../../contract/roles.ts";
import type { Bot } from "../../../schema/records-people.ts";
import type { User } from "../../../schema/records.ts";
import { foldedAddress } from "../../../text/email-address.ts";
import { INTERFACES, isPayloadUrl } from "../../bots/rules.ts";
import { newBot } from "../../bots/wire.ts";
import { SYSTEM_BOTS } from "../../organization/actions.ts";
import { isEmail, ROLES } from "../../rights/rules.ts";
import { plainName } from "../plain-name.ts";
import type { Choices } from "../people-map.ts";
import type { Reporting } from "../report.ts";
import { bool, checkIsExported, idIn, int, seconds, text, type ZulipRow } from "./read/rows.ts";
import { userSettings } from "./settings.ts";
import type { ZulipExport } from "./read/source.ts";

const PLACEHOLDER_DOMAIN = "zulip.invalid";
const BOT_TYPES = [1, 2, 3, 4];
const TABLES = ["zerver_userprofile", "zerver_userprofile_mirrordummy"];

/** Whether nobody can have the address. */
const isReserved = (address: string) => foldedAddress(address).endsWith(".invalid");

export class ZulipPeople {
  readonly users = new Map<number, User>();
  readonly bots = new Map<number, Bot>();
  newest = 0;
  private readonly addresses = new Set<string>();

  constructor(
    private readonly host: string,
    private readonly now: number,
    private readonly choices: Choices,
    private readonly reporting: Reporting,
  ) {}

  async read(source: ZulipExport): Promise<void> {
    for (const table of TABLES) {
      for await (const { row, location } of source.rows(table)) {
        const id = idIn(row);
        if (id === undefined || this.users.has(id)) {
          checkIsExported(row, location);
          this.reporting.lost("An account without an id of its own is left out.", location);
          continue;
        }
        this.add(id, row, source.realm, location, table !== TABLES[0]);
      }
    }
    await this.addSystemBots(source);
    this.checkOwners();
    this.choices.people.reportUnused(this.reporting);
    await this.addServices(source);
  }

  private checkOwners(): void {
    for (const [id, user] of this.users) {
      const { bot_owner_id } = user;
      if (bot_owner_id === null || this.users.has(bot_owner_id)) continue;
      this.users.set(id, { ...user, bot_owner_id: null });
      this.reporting.lost("The owner of a bot is not in the export.", `user ${id}`);
    }
  }

  private add(
    id: number,
    row: ZulipRow,
    realm: ZulipRow,
    location: string,
    isDummy: boolean,
  ): void {
    this.newest = Math.max(this.newest, id);
    const givenAddress = (text(row, "delivery_email") ?? text(row, "email") ?? "").trim();
    const mapped = this.choices.people.of(String(id), givenAddress);
    const address = this.addressOf(mapped?.email ?? givenAddress, location);
    const isBot = bool(row, "is_bot") === true;
    const isActive = bool(row, "is_active") !== false && address !== undefined;
    const isPlaceholder = isDummy || bool(row, "is_mirror_dummy") === true || !isActive;
    const bot_type = isBot ? botTypeOf(row) : null;
    const source = text(row, "avatar_source");
    this.users.set(id, {
      user_id: id,
      delivery_email: address ?? this.placeholderOf(id, givenAddress),
      full_name: plainName(text(row, "full_name") ?? "") || `Zulip user ${id}`,
      role: mapped?.role ?? this.roleOf(row, isPlaceholder, location),
      is_active: isActive && !isDummy && bool(row, "is_mirror_dummy") !== true,
      bot_type,
      bot_owner_id: isBot ? (int(row, "bot_owner") ?? null) : null,
      is_system_bot: false,
      date_joined: seconds(row, "date_joined") ?? this.now,
      avatar_source: source === "G" || source === "J" ? source : "J",
      avatar_version: Math.max(1, int(row, "avatar_version") ?? 1),
      settings: isBot ? {} : userSettings(row, realm),
      can_create_users: bool(row, "can_create_users") ?? false,
      ...(bool(row, "can_forge_sender") && { can_forge_sender: true }),
      ...(bool(row, "can_change_user_emails") && { can_change_user_emails: true }),
      ...(bool(row, "is_deleted") && { is_deleted: true }),
    });
    if (isBot) this.bots.set(id, { ...newBot, user_id: id, ...botFields(row) });
  }

  /** Leaves out bots with default values only, because the server stores no row for them. */
  botRecords(channels: { has(id: number): boolean }): Bot[] {
    const knownChannel = (id: number | null) => (id !== null && channels.has(id) ? id : null);
    const bots = [...this.bots.values()].map((bot) => ({
      ...bot,
      default_sending_stream: knownChannel(bot.default_sending_stream),
      default_events_register_stream: knownChannel(bot.default_events_register_stream),
    }));
    return bots.filter((bot) => {
      const { service, default_sending_stream, default_events_register_stream } = bot;
      if (service || bot.default_all_public_streams) return true;
      return default_sending_stream !== null || default_events_register_stream !== null;
    });
  }

  /** Keeps an address that is a placeholder already, unless another account has it. */
  private placeholderOf(id: number, value: string): string {
    const folded = foldedAddress(value);
    const isOwn = isEmail(value) && isReserved(value) && !this.addresses.has(folded);
    if (!isOwn) return `user-${id}@${PLACEHOLDER_DOMAIN}`;
    this.addresses.add(folded);
    return value;
  }

  private addressOf(value: string, location: string): string | undefined {
    if (!isEmail(value) || isReserved(value)) {
      this.reporting.lost("An account has no address: it is a placeholder.", location);
      return undefined;
    }
    const folded = foldedAddress(value);
    if (this.addresses.has(folded)) {
      const kind = "Two accounts have the same address: the second is a placeholder.";
      this.reporting.lost(kind, `${location} (${value})`);
      return undefined;
    }
    this.addresses.add(folded);
    return value;
  }

  /** A placeholder is at most a member until an administrator decides. */
  private roleOf(row: ZulipRow, isPlaceholder: boolean, location: string): number {
    const { roles } = this.choices;
    const legacyRole = bool(row, "is_guest") ? GUEST : bool(row, "is_realm_admin") ? 200 : MEMBER;
    const roleCode = int(row, "role") ?? legacyRole;
    const role = ROLES.includes(roleCode) ? roleCode : MEMBER;
    const isKept = roles === "keep" || (roles === undefined && !isPlaceholder);
    if (isKept || role >= MEMBER) return role;
    this.reporting.lost("An owner, administrator or moderator becomes a member.", location);
    return MEMBER;
  }

  private async addSystemBots(source: ZulipExport): Promise<void> {
    const ids = new Map<string, number>();
    for await (const { row } of source.rows("zerver_userprofile_crossrealm")) {
      const [id, address] = [idIn(row), text(row, "email") ?? ""];
      if (id === undefined || this.users.has(id)) continue;
      ids.set(address.split("@")[0]!, id);
      this.newest = Math.max(this.newest, id);
    }
    for (const { full_name, local_part } of SYSTEM_BOTS) {
      const user_id = ids.get(local_part) ?? ++this.newest;
      ids.delete(local_part);
      this.addBot(user_id, full_name, `${local_part}@${this.host}`, true);
    }
    for (const [name, id] of ids) {
      this.addBot(id, plainName(name) || "Bot", `bot-${id}@${PLACEHOLDER_DOMAIN}`, false);
    }
  }

  private addBot(user_id: number, full_name: string, address: string, isSystem: boolean): void {
    this.users.set(user_id, {
      ...{ user_id, full_name, delivery_email: address, role: MEMBER, is_active: isSystem },
      ...{ bot_type: 1, bot_owner_id: null, is_system_bot: isSystem, date_joined: this.now },
      ...{ avatar_source: "J", avatar_version: 1, settings: {}, can_create_users: false },
    });
  }

  /** The URL of an outgoing webhook. Its token and the keys of bots are created anew. */
  private async addServices(source: ZulipExport): Promise<void> {
    for await (const { row, location } of source.rows("zerver_service")) {
      const bot = this.bots.get(int(row, "user_profile") ?? 0);
      const [base_url, interface_] = [text(row, "base_url") ?? "", int(row, "interface") ?? 1];
      if (!bot || !isPayloadUrl(base_url) || !INTERFACES.includes(interface_)) {
        this.reporting.lost("The service of a bot cannot be taken over.", location);
        continue;
      }
      const service = { base_url, interface: interface_, token: newToken() };
      this.bots.set(bot.user_id, { ...bot, service });
    }
  }
}

const TOKEN_BYTES = 24;
const newToken = () =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))).toString("base64url");

function botTypeOf(row: ZulipRow): number {
  const type = int(row, "bot_type") ?? 1;
  return BOT_TYPES.includes(type) ? type : 1;
}

function botFields(row: ZulipRow) {
  return {
    default_sending_stream: int(row, "default_sending_stream") ?? null,
    default_events_register_stream: int(row, "default_events_register_stream") ?? null,
    default_all_public_streams: bool(row, "default_all_public_streams") ?? false,
  };
}
