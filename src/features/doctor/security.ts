// Checks settings that weaken security and that owners may have chosen on purpose.
import { INCOMING_WEBHOOK_BOT } from "../../contract/roles.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Reader } from "../../realm.ts";
import { botOf } from "../bots/wire.ts";
import { isBot, isOwner } from "../rights/rules.ts";
import { hasSecondFactor } from "../two-factor/access.ts";
import { bad, type Check, type Finding, ok } from "./check.ts";
import type { Facts } from "./facts.ts";

export const securityChecks: readonly Check<Facts>[] = [
  { id: "security.account", run: account },
  { id: "security.owners", is_own: true, run: of(owners) },
  { id: "security.second-factor", is_own: true, run: of(secondFactors) },
  { id: "security.registration", is_own: true, run: of(registration) },
  {
    id: "security.spectators",
    is_own: true,
    run: ({ realm }) => spectators(realm.config.web_public_streams),
  },
  { id: "security.keys", is_own: true, run: of(keys) },
  { id: "security.webhooks", is_own: true, run: of(webhooks) },
];

/** Runs the check only if there is an organization. */
function of(look: (read: Reader) => Finding) {
  return ({ realm: { read } }: Facts) => (read.realm.has(1) ? look(read) : undefined);
}

const ROOT = 0;

function account(): Finding {
  if (process.geteuid?.() !== ROOT) return ok("The server runs as an account of its own.");
  const remedy = "have systemd run it as the account skein: sudo skein service install";
  return bad("warn", "The server runs as root, and needs none of its rights.", remedy);
}

const ownersOf = (read: Reader) =>
  [...read.users.range()].filter((user) => user.is_active && isOwner(user) && !isBot(user));

function owners(read: Reader): Finding {
  const { length } = ownersOf(read);
  if (length > 1) return ok(`The organization has ${length} owners.`);
  const words = `The organization has ${length === 0 ? "no owner" : "only one owner"}.`;
  const remedy = "make another: skein user role --email EMAIL --role owner";
  return bad(length === 0 ? "fail" : "warn", words, remedy);
}

function secondFactors(read: Reader): Finding {
  const all = ownersOf(read);
  const bare = all.filter(({ user_id }) => !hasSecondFactor(read, user_id));
  if (bare.length === 0) return ok("All owners have a second factor.");
  const words = `${bare.length} of ${all.length} owners sign in without a second factor.`;
  return bad("warn", words, "each sets up an app or a passkey, in the settings of the account");
}

function registration({ settings }: Reader): Finding {
  const { invite_required, emails_restricted_to_domains } = settings;
  if (invite_required) return ok("Nobody makes an account without an invitation.");
  if (emails_restricted_to_domains) {
    return ok("Whoever has an address in one of the organization's domains can make an account.");
  }
  const remedy = "skein org set --setting invite_required --value true, or restrict the domains";
  return bad("warn", "Everybody can make an account, and nobody has to invite them.", remedy);
}

function spectators(isOn: boolean): Finding {
  if (!isOn) return ok("No channel can be shown to those who have no account.");
  const remedy = "if no channel is meant for the web: --web-public-streams off";
  return bad("warn", "Channels may be shown on the web, to those without an account.", remedy);
}

const YEAR_DAYS = 365;

function keys(read: Reader): Finding {
  const before = read.now - YEAR_DAYS * DAY_SECONDS;
  const old = [...read.api_keys.range()].filter(({ last_used, user_id }) => {
    return last_used < before && read.users.get(user_id)?.is_active;
  });
  if (old.length === 0) return ok("Every API key was used within a year.");
  const words = `${old.length} API keys were not used for a year.`;
  return bad("warn", words, "their people take them away on their account page");
}

const NAMES_MAX = 20;

/** Webhooks of earlier versions have no setting for whom their text may notify. */
function webhooks(read: Reader): Finding {
  const names = [...read.users.range()]
    .filter(({ is_active, bot_type }) => is_active && bot_type === INCOMING_WEBHOOK_BOT)
    .filter(({ user_id }) => botOf(read, user_id).can_notify === undefined)
    .map(({ full_name }) => full_name);
  if (names.length === 0) return ok("Every incoming webhook says whom it can notify.");
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : "";
  const list = names.slice(0, NAMES_MAX).join(", ") + more;
  const words = `Text of strangers can notify everyone through these incoming webhooks: ${list}.`;
  return bad("warn", words, "their owners choose under Can notify, in the settings of the bot");
}
