// Users of the sample organization: a small team that watches for frost in orchards.
import { normalized } from "../../text/normalize.ts";
import { GUEST, MEMBER, MODERATOR, ADMINISTRATOR, OWNER } from "../../contract/roles.ts";

export const ORGANIZATION = "Larkspur";
const DOMAIN = "larkspur.example";

export interface Person {
  readonly full_name: string;
  readonly role: number;
  readonly email: string;
  /** Emoji name and text. */
  readonly status?: readonly [emoji_name: string, status_text: string];
  /** Minutes since the user was last active when the demo starts; 0 for active users. */
  readonly away_minutes: number;
  readonly timezone?: string;
}

type Facts = Pick<Person, "status" | "timezone">;

function person(full_name: string, role: number, away_minutes: number, facts: Facts = {}): Person {
  return { full_name, role, away_minutes, email: addressOf(full_name), ...facts };
}

function addressOf(full_name: string): string {
  const first = full_name.split(" ")[0]!;
  const asciiName = normalized(first, "NFD").replace(/\p{M}/gu, "").toLowerCase();
  return `${asciiName}@${DOMAIN}`;
}

const DAY_MINUTES = 1440;

/** Keyed by the names in the scripts. The first user owns the organization. */
export const PEOPLE: Readonly<Record<string, Person>> = {
  Ada: person("Ada Moss", OWNER, 0, { status: ["potted_plant", "In the workshop"] }),
  Bo: person("Bo Ruiz", ADMINISTRATOR, 0, { status: ["coffee", ""] }),
  Mara: person("Mara Lind", ADMINISTRATOR, 0, { status: ["headphones", "Writing until eleven"] }),
  Kit: person("Kit Osei", MODERATOR, 0, { status: ["train", "On a train, patchy"] }),
  Noor: person("Noor Haddad", MODERATOR, 0),
  Ines: person("Ines Duarte", MEMBER, 0, { timezone: "Europe/Lisbon" }),
  Farid: person("Farid Aziz", MEMBER, 40),
  Lena: person("Lena Brandt", MEMBER, 130),
  Tomás: person("Tomás Wren", MEMBER, 4 * DAY_MINUTES, { status: ["mountain", "Back on Tuesday"] }),
  Yuki: person("Yuki Tanabe", GUEST, 20, { timezone: "Asia/Tokyo" }),
};

/** Bots, each with an owner. */
export const BOTS: Readonly<
  Record<string, { full_name: string; short_name: string; owner: string }>
> = {
  "Mast bot": { full_name: "Mast bot", short_name: "mast", owner: "Noor" },
  "Build bot": { full_name: "Build bot", short_name: "build", owner: "Kit" },
};

/** The account of the person who runs the demo. */
export const VISITOR = PEOPLE["Ada"]!.email;
