// The kinds of askers, and what each is told where only some may knock.
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

/** Letters of the table. Who may knock at a door: */
export type Knock =
  /** anyone, with an account or without; */
  | "P"
  /** who is signed in by browser; */
  | "I"
  /** the same, but administrators alone; */
  | "IA"
  /** the same, but owners alone; */
  | "IO"
  /** accounts, and those who look at what is public on the web; */
  | "S"
  /** any account; */
  | "U"
  /** any account, even one that only takes webhooks in; */
  | "W"
  /** bots called by other programs, with the key in the address; */
  | "K"
  /** bots; */
  | "B"
  /** people; */
  | "H"
  /** all but guests; */
  | "NG"
  /** people but guests; */
  | "MH"
  /** administrators; owners. */
  | "A"
  | "O";

/** And of those, who may do it: all, or all from this rank up. */
export type May =
  "all" | "nobody" | "owners" | "administrators" | "moderators" | "full members" | "members";

export type Row = readonly [knock: Knock, may?: May, otherwise?: () => Refusal];

/** `twin`: whether the path lies under /json too. */
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

/** The refusal that this asker gets, or undefined for being let in. */
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

/** The key stands in the address; the header does not count. */
function atTheHook(asker: Asker): Refusal | undefined {
  if (asker === "nobody") return missingParameter("api_key");
  if (asker === "deactivated") return signInDeactivated();
  return BOTS.includes(asker) ? undefined : mustBeBot();
}
