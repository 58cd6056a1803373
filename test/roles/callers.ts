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
export type Requester = string;

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

/** Admitted callers that can do the action: all, none, or those with at least this role. */
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

const RANKS: Record<Exclude<May, "all">, readonly Requester[]> = {
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

const BOTS: readonly Requester[] = ["bot", "webhook in", "webhook out"];

/** Returns the error that this caller gets, or undefined if it is admitted. */
export function refusalFor(requester: Requester, door: Door): Refusal | undefined {
  const { knock, may, otherwise, twin: duplicate } = door;
  if (requester === "browser" && !duplicate) return pathNotFound();
  const closed = atTheDoor(requester, knock);
  if (closed !== undefined || may === "all") return closed;
  return RANKS[may].includes(requester) ? undefined : otherwise;
}

function atTheDoor(requester: Requester, knock: Knock): Refusal | undefined {
  if (knock === "P") return undefined;
  if (knock === "I") return requester === "browser" ? undefined : notLoggedIn();
  if (knock === "IO") return requester === "browser" ? mustBeOwner() : notLoggedIn();
  if (knock === "IA") return requester === "browser" ? mustBeAdministrator() : notLoggedIn();
  if (knock === "K") return atTheHook(requester);
  if (requester === "nobody") return knock === "S" ? undefined : notLoggedIn();
  if (requester === "deactivated") return accountDeactivated();
  if (requester === "webhook in") return knock === "W" ? undefined : webhookBotNotAllowed();
  const isGuest = requester === "guest";
  if ((knock === "NG" || knock === "MH") && isGuest) return guestsNotAllowed();
  if ((knock === "H" || knock === "MH") && BOTS.includes(requester)) return botsNotAllowed();
  if (knock === "B" && !BOTS.includes(requester)) return mustBeBot();
  if (knock === "A" && !RANKS.administrators.includes(requester)) return mustBeAdministrator();
  if (knock === "O" && requester !== "owner") return mustBeOwner();
  return undefined;
}

/** The key is in the URL, so the header is ignored. */
function atTheHook(requester: Requester): Refusal | undefined {
  if (requester === "nobody") return missingParameter("api_key");
  if (requester === "deactivated") return signInDeactivated();
  return BOTS.includes(requester) ? undefined : mustBeBot();
}
