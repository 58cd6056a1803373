// Users of a Slack export, with the data of their profiles that is not imported.
import type { Archive } from "../archive/entries.ts";
import type { Shape } from "../json-fields.ts";
import { USER } from "../source/shapes.ts";
import type { SourceUser } from "../source/records-rules.ts";
import { SLACKBOT } from "./complete-message.ts";
import { listIn } from "./lists.ts";

/** An export of an Enterprise Grid organization has the second one. */
export const USER_FILES = ["users.json", "org_users.json"] as const;
const ID_LENGTH_MAX = 100;
/** `slackdump export -avatars` writes the pictures of users. */
const AVATARS = /^__avatars\/([A-Z0-9]+)\/[^/]+$/;
/** Hashes of uploaded pictures: those of generated ones begin with g, and Slackbot's with sv. */
const OWN_PICTURE = /^[0-9a-f]{6,}$/;

const PROFILE = { title: "text", phone: "text", skype: "text", status_text: "text" } as const;
const LISTED_USER: Shape = {
  ...(USER as Record<string, Shape>),
  tz: "text",
  profile: {
    ...{ real_name: "text", display_name: "text", email: "text", bot_id: "text" },
    ...{ ...PROFILE, avatar_hash: "text", fields: "any" },
  },
};

interface ListedUser extends SourceUser {
  tz?: string;
  profile?: NonNullable<SourceUser["profile"]> & {
    [name in keyof typeof PROFILE | "avatar_hash"]?: string;
  } & { fields?: unknown };
}

export interface SlackUsers {
  readonly users: readonly (SourceUser & { id: string })[];
  /** Ids of users by the ids of their bots. */
  readonly bots: ReadonlyMap<string, string>;
  /** Places of records without an id. */
  readonly unusable: readonly string[];
  readonly losses: readonly (readonly [kind: string, location: string])[];
}

export async function usersIn(archive: Archive, root: string): Promise<SlackUsers> {
  const users: (SourceUser & { id: string })[] = [];
  const bots = new Map<string, string>();
  const unusable: string[] = [];
  const losses: [string, string][] = [];
  const pictures = picturesIn(archive, root);
  for (const file of USER_FILES) {
    const knownIds = new Set(users.map(({ id }) => id));
    const list = await listIn<ListedUser>(archive, root + file, LISTED_USER);
    for (const [index, user] of list.entries()) {
      const location = `${file}#${index + 1}`;
      const { id = "", tz, profile = {} } = user;
      if (id === "" || id.length > ID_LENGTH_MAX) {
        unusable.push(location);
        continue;
      }
      if (knownIds.has(id)) continue;
      if (profile.bot_id) bots.set(profile.bot_id, id);
      const picture = pictures.get(id);
      const hasOwn = OWN_PICTURE.test(profile.avatar_hash ?? "");
      if (hasOwn && picture === undefined) losses.push([PICTURE_LOST, location]);
      if (hasDetails(profile)) losses.push([DETAILS_LOST, location]);
      users.push({
        ...{ ...user, id, location },
        ...(id === SLACKBOT && { is_bot: true }),
        ...(tz && { timezone: tz }),
        ...(picture !== undefined && { picture }),
      });
    }
  }
  return { users, bots, unusable, losses };
}

const PICTURE_LOST = "The picture of a user is not in the export.";
const DETAILS_LOST = "The title, phone number, status or other fields of a profile are left out.";

function hasDetails({ fields, ...profile }: NonNullable<ListedUser["profile"]>): boolean {
  const names = Object.keys(PROFILE) as (keyof typeof PROFILE)[];
  const hasFields = typeof fields === "object" && fields !== null && Object.keys(fields).length > 0;
  return hasFields || names.some((name) => (profile[name] ?? "").trim() !== "");
}

function picturesIn({ sizes }: Archive, root: string): Map<string, string> {
  const pictures = new Map<string, string>();
  for (const name of sizes.keys()) {
    const [, id] = AVATARS.exec(name.startsWith(root) ? name.slice(root.length) : "") ?? [];
    if (id !== undefined) pictures.set(id, name);
  }
  return pictures;
}
