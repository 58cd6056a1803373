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

export const REQUESTERS = [
  ...["owner", "administrator", "moderator", "member", "newcomer", "guest"],
  ...["bot", "webhook in", "webhook out", "deactivated", "nobody", "browser"],
] as const;
export type Requester = string;

/** Letters of the table: which callers a route admits. */
export type AccessLevel =
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
type AllowedCallers =
  "all" | "nobody" | "owners" | "administrators" | "moderators" | "full members" | "members";

export type Row = readonly [
  gate: AccessLevel,
  permitted?: AllowedCallers,
  otherwise?: () => Refusal,
];

/** `hasJsonRoute`: whether the route also exists under /json. */
interface RouteAccess {
  readonly gate: AccessLevel;
  readonly permitted: AllowedCallers;
  readonly otherwise: Refusal | undefined;
  readonly hasJsonRoute: boolean;
}

const RANKS: Record<Exclude<AllowedCallers, "all">, readonly Requester[]> = {
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
export function refusalFor(requester: Requester, access: RouteAccess): Refusal | undefined {
  const { gate, permitted, otherwise, hasJsonRoute } = access;
  if (requester === "browser" && !hasJsonRoute) return pathNotFound();
  const closed = gateRefusal(requester, gate);
  if (closed !== undefined || permitted === "all") return closed;
  return RANKS[permitted].includes(requester) ? undefined : otherwise;
}

function gateRefusal(requester: Requester, gate: AccessLevel): Refusal | undefined {
  if (gate === "P") return undefined;
  if (gate === "I") return requester === "browser" ? undefined : notLoggedIn();
  if (gate === "IO") return requester === "browser" ? mustBeOwner() : notLoggedIn();
  if (gate === "IA") return requester === "browser" ? mustBeAdministrator() : notLoggedIn();
  if (gate === "K") return hookRefusal(requester);
  if (requester === "nobody") return gate === "S" ? undefined : notLoggedIn();
  if (requester === "deactivated") return accountDeactivated();
  if (requester === "webhook in") return gate === "W" ? undefined : webhookBotNotAllowed();
  const isGuest = requester === "guest";
  if ((gate === "NG" || gate === "MH") && isGuest) return guestsNotAllowed();
  if ((gate === "H" || gate === "MH") && BOTS.includes(requester)) return botsNotAllowed();
  if (gate === "B" && !BOTS.includes(requester)) return mustBeBot();
  if (gate === "A" && !RANKS.administrators.includes(requester)) return mustBeAdministrator();
  if (gate === "O" && requester !== "owner") return mustBeOwner();
  return undefined;
}

/** The key is in the URL, so the header is ignored. */
function hookRefusal(requester: Requester): Refusal | undefined {
  if (requester === "nobody") return missingParameter("api_key");
  if (requester === "deactivated") return signInDeactivated();
  return BOTS.includes(requester) ? undefined : mustBeBot();
}
