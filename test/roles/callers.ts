// The kinds of callers, and the error that each gets where only some are admitted.
import {
  type Refusal,
  accountDeactivated,
  botsNotAllowed,
  guestsNotAllowed,
  missingParameter,
  mustBeAdministrator,
  mustBeBot,
  mustBeOwner,
  notLoggedIn,
  pathNotFound,
  webhookBotNotAllowed,
} from "../../src/contract/errors/general.ts";
import { signInDeactivated } from "../../src/contract/errors/people.ts";

export const ASKERS = [
  ...["owner", "administrator", "moderator", "member", "newcomer", "guest"],
  ...["bot", "webhook in", "webhook out", "deactivated", "nobody", "browser"],
] as const;
export type Asker = string;

/** Letters of the table: which callers a route admits. */
export type Knock =
  /** anyone, with or without an account; */
  | "P"
  /** users with a browser session; */
  | "I"
  /** administrators with a browser session; */
  | "IA"
  /** owners with a browser session; */
  | "IO"
  /** accounts and spectators; */
  | "S"
  /** any account; */
  | "U"
  /** any account, including incoming webhook bots; */
  | "W"
  /** bots whose URL with the key is called by other programs; */
  | "K"
  /** bots; */
  | "B"
  /** human users; */
  | "H"
  /** all accounts except guests; */
  | "NG"
  /** human users except guests; */
  | "MH"
  /** administrators; owners. */
  | "A"
  | "O";

/** Which admitted callers may do the action: all, none, or those with at least this role. */
export type May =
  "all" | "nobody" | "owners" | "administrators" | "moderators" | "full members" | "members";

export type Row = readonly [knock: Knock, may?: May, otherwise?: () => Refusal];

/** `twin`: whether the route also exists under /json. */
export interface Door {
  readonly knock: Knock;
  readonly may: May;
  readonly otherwise: Refusal | undefined;
  readonly twin: boolean;
}

const RANKS: Record<Exclude<May, "all">, readonly Asker[]> = {
  nobody: [],
  owners: ["owner"],
  administrators: ["owner", "administrator"],
  moderators: ["owner", "administrator", "moderator"],
  "full members": [
    ...["owner", "administrator", "moderator", "member", "browser"],
    ...["bot", "webhook out", "webhook in"],
  ],
  members: [
    ...["owner", "administrator", "moderator", "member", "browser", "newcomer"],
    ...["bot", "webhook out", "webhook in"],
  ],
};

const BOTS: readonly Asker[] = ["bot", "webhook in", "webhook out"];

/** Returns the error that this caller gets, or undefined if it is admitted. */
export function refusalFor(asker: Asker, door: Door): Refusal | undefined {
  const { knock, may, otherwise, twin } = door;
  if (asker === "browser" && !twin) return pathNotFound();
  const shut = atTheDoor(asker, knock);
  if (shut !== undefined || may === "all") return shut;
  return RANKS[may].includes(asker) ? undefined : otherwise;
}

function atTheDoor(asker: Asker, knock: Knock): Refusal | undefined {
  if (knock === "P") return undefined;
  if (knock === "I") return asker === "browser" ? undefined : notLoggedIn();
  if (knock === "IO") return asker === "browser" ? mustBeOwner() : notLoggedIn();
  if (knock === "IA") return asker === "browser" ? mustBeAdministrator() : notLoggedIn();
  if (knock === "K") return atTheHook(asker);
  if (asker === "nobody") return knock === "S" ? undefined : notLoggedIn();
  if (asker === "deactivated") return accountDeactivated();
  if (asker === "webhook in") return knock === "W" ? undefined : webhookBotNotAllowed();
  const isGuest = asker === "guest";
  if ((knock === "NG" || knock === "MH") && isGuest) return guestsNotAllowed();
  if ((knock === "H" || knock === "MH") && BOTS.includes(asker)) return botsNotAllowed();
  if (knock === "B" && !BOTS.includes(asker)) return mustBeBot();
  if (knock === "A" && !RANKS.administrators.includes(asker)) return mustBeAdministrator();
  if (knock === "O" && asker !== "owner") return mustBeOwner();
  return undefined;
}

/** The key is in the URL, so the header is ignored. */
function atTheHook(asker: Asker): Refusal | undefined {
  if (asker === "nobody") return missingParameter("api_key");
  if (asker === "deactivated") return signInDeactivated();
  return BOTS.includes(asker) ? undefined : mustBeBot();
}
