// Reads users from a file: JSON lines or CSV.
import { ownValue } from "../text/input/own-value.ts";
import { ADMINISTRATOR, GUEST, MEMBER, MODERATOR, OWNER } from "../contract/roles.ts";
import type { Person } from "./admin/admin-commands.ts";
import { rowsIn } from "./csv.ts";
import { CommandError } from "./flags.ts";

const ROLE_BY_NAME: Readonly<Record<string, number>> = {
  owner: OWNER,
  administrator: ADMINISTRATOR,
  moderator: MODERATOR,
  member: MEMBER,
  guest: GUEST,
};

/** Finds a role by name, or by its number in the API. */
export function roleNamed(name: string | number): number | undefined {
  if (Object.hasOwn(ROLE_BY_NAME, name)) return ROLE_BY_NAME[name];
  return Object.values(ROLE_BY_NAME).find((role) => role === Number(name));
}

export function roleNameOf(role: number): string {
  return (
    Object.keys(ROLE_BY_NAME).find((name) => ownValue(ROLE_BY_NAME, name) === role) ?? String(role)
  );
}

export function peopleIn(text: string): Person[] {
  const stripped = text.replace(/^\ufeff/, "");
  if (stripped.trim() === "") throw new CommandError("the file is empty: nothing was created");
  return BY_LINE.test(stripped) ? peopleByLine(stripped) : peopleInTable(stripped);
}

const BY_LINE = /^\s*[{[]/;

/** JSON is always UTF-8; a CSV file of an old spreadsheet may have another encoding. */
export const isByLine = (bytes: Uint8Array) =>
  BY_LINE.test(new TextDecoder("latin1").decode(bytes.subarray(0, 100)));

function peopleByLine(text: string): Person[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    try {
      return [personIn(JSON.parse(line))];
    } catch (error) {
      throw new CommandError(`line ${index + 1}: ${(error as Error).message}`);
    }
  });
}

/** The first row contains the column names. Empty cells are ignored. */
function peopleInTable(text: string): Person[] {
  const [heads = [], ...rows] = tableIn(text);
  const names = heads.map((head) => head.toLowerCase().replaceAll(/[\s-]+/g, "_"));
  const isHeaded = names.some((name) => COLUMNS.includes(name));
  if (!isHeaded) {
    throw new CommandError("the first row must contain the column names, such as: email,full_name");
  }
  if (rows.length === 0) {
    throw new CommandError("the file has no row after the column names");
  }
  return rows.map((cells, index) => {
    const entries = names.flatMap((name, n) => (cells[n] ? [[name, cells[n]] as const] : []));
    try {
      if (cells.length > names.length) throw new CommandError("more cells than columns");
      return personIn(Object.fromEntries(entries));
    } catch (error) {
      throw new CommandError(`row ${index + 2}: ${(error as Error).message}`);
    }
  });
}

function tableIn(text: string): string[][] {
  try {
    return rowsIn(text);
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

const COLUMNS = ["email", "full_name", "role", "password"];

function personIn(input: unknown): Person {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new CommandError("not a JSON object");
  }
  const unknown = Object.keys(input).find((key) => !COLUMNS.includes(key));
  if (unknown !== undefined) throw new CommandError(`unknown field ${unknown}`);
  const { email, full_name, role = MEMBER, password } = input as Record<string, unknown>;
  const roleCode =
    typeof role === "string" || typeof role === "number" ? roleNamed(role) : undefined;
  if (typeof email !== "string") throw new CommandError("email must be a string");
  if (typeof full_name !== "string") throw new CommandError("full_name must be a string");
  if (roleCode === undefined) throw new CommandError(`there is no role ${JSON.stringify(role)}`);
  if (password !== undefined && typeof password !== "string") {
    throw new CommandError("password must be a string");
  }
  return { email, full_name, role: roleCode, password };
}
