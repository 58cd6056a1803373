// Reads people out of a file: on each line a JSON object for one of them.
import { ADMINISTRATOR, GUEST, MEMBER, MODERATOR, OWNER } from "../features/users/rules.ts";
import { Trouble } from "./flags.ts";
import type { Person } from "./orders.ts";

const ROLE_BY_NAME: Readonly<Record<string, number>> = {
  owner: OWNER,
  administrator: ADMINISTRATOR,
  moderator: MODERATOR,
  member: MEMBER,
  guest: GUEST,
};

/** Of a name, or of the number that the API has for it. */
export function roleNamed(name: string | number): number | undefined {
  if (Object.hasOwn(ROLE_BY_NAME, name)) return ROLE_BY_NAME[name];
  return Object.values(ROLE_BY_NAME).find((role) => role === Number(name));
}

export function roleNameOf(role: number): string {
  return Object.keys(ROLE_BY_NAME).find((name) => ROLE_BY_NAME[name] === role) ?? String(role);
}

export function peopleIn(text: string): Person[] {
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    try {
      return [personIn(JSON.parse(line))];
    } catch (error) {
      throw new Trouble(`line ${at + 1}: ${(error as Error).message}`);
    }
  });
}

const KNOWN = ["email", "full_name", "role", "password"];

function personIn(given: unknown): Person {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new Trouble("not a JSON object");
  }
  const stranger = Object.keys(given).find((key) => !KNOWN.includes(key));
  if (stranger !== undefined) throw new Trouble(`${stranger} is not known here`);
  const { email, full_name, role = MEMBER, password } = given as Record<string, unknown>;
  const known = typeof role === "string" || typeof role === "number" ? roleNamed(role) : undefined;
  if (typeof email !== "string") throw new Trouble("email is not a string");
  if (typeof full_name !== "string") throw new Trouble("full_name is not a string");
  if (known === undefined) throw new Trouble(`there is no role ${JSON.stringify(role)}`);
  if (password !== undefined && typeof password !== "string") {
    throw new Trouble("password is not a string");
  }
  return { email, full_name, role: known, password };
}
