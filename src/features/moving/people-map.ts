// The operator's choices for the users of an archive: their email addresses and roles.
import { ADMINISTRATOR, GUEST, MEMBER, MODERATOR, OWNER } from "../../contract/roles.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { ownValue } from "../../text/input/own-value.ts";
import { isEmail } from "../rights/rules.ts";
import { MovingRefused } from "./errors.ts";
import type { Reporting } from "./report.ts";

/** `keep`: roles as in the archive; `members`: everyone becomes a member at most. */
export type Roles = "keep" | "members";

/** The operator's decisions about the users of an archive. */
export interface Choices {
  readonly people: PeopleMap;
  readonly roles: Roles | undefined;
}

const NAMES: Readonly<Record<string, number>> = {
  owner: OWNER,
  administrator: ADMINISTRATOR,
  moderator: MODERATOR,
  member: MEMBER,
  guest: GUEST,
};

interface MappedPerson {
  /** undefined: the address in the archive. */
  readonly email: string | undefined;
  readonly role: number | undefined;
}

export class PeopleMap {
  private readonly byKey = new Map<string, MappedPerson>();
  /** The locations of rows that no user has matched yet, by key. */
  private readonly unused = new Map<string, string>();

  /**
   * Each row has the id or address of a user in the archive, the new address, and optionally the
   * role. The `U:` of an id may be missing. An empty address keeps that of the archive.
   */
  constructor(rows: readonly (readonly string[])[] = []) {
    for (const [index, cells] of rows.entries()) {
      const [key = "", email = "", role = ""] = cells.map((cell) => cell.trim());
      if (index === 0 && key.toLowerCase() === "source") continue;
      const location = `--people, row ${index + 1}`;
      if (key === "") throw new MovingRefused("the id or address of a person is missing", location);
      if (email !== "" && !isEmail(email))
        throw new MovingRefused(`${email} is no address`, location);
      if (role !== "" && !Object.hasOwn(NAMES, role)) {
        const columnNames = Object.keys(NAMES).join(", ");
        throw new MovingRefused(`${role} is no role, which are ${columnNames}`, location);
      }
      const person = { email: email || undefined, role: ownValue(NAMES, role) };
      this.byKey.set(keyOf(key), person);
      this.unused.set(keyOf(key), `${location}: ${key}`);
    }
  }

  of(id: string, email: string): MappedPerson | undefined {
    const ids = [id, id.replace(/^U:/, ""), ...(email ? [email] : [])];
    const key = ids.map(keyOf).find((name) => this.byKey.has(name));
    if (key === undefined) return undefined;
    this.unused.delete(key);
    return this.byKey.get(key);
  }

  /** Called after all users were looked up. */
  reportUnused(reporting: Reporting): void {
    for (const location of this.unused.values()) reporting.lost(UNUSED_ROW, location);
  }
}

const UNUSED_ROW = "A row of --people has the id or address of no user in the archive.";

const keyOf = (key: string) => (key.includes("@") ? foldedAddress(key) : key);
