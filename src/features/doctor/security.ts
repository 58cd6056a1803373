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
  { id: "security.owners", is_own: true, run: ofReader(owners) },
  { id: "security.second-factor", is_own: true, run: ofReader(twoFactor) },
  { id: "security.registration", is_own: true, run: ofReader(registration) },
  {
    id: "security.spectators",
    is_own: true,
    run: ({ realm }) => spectators(realm.config.web_public_streams),
  },
  { id: "security.keys", is_own: true, run: ofReader(keys) },
  { id: "security.webhooks", is_own: true, run: ofReader(webhooks) },
];

/** Skips the check if there is no organization. */
function ofReader(check: (read: Reader) => Finding) {
  return ({ realm: { read } }: Facts) => (read.realm.has(1) ? check(read) : undefined);
}

const ROOT = 0;

function account(): Finding {
  if (process.geteuid?.() !== ROOT) return ok("The server runs under its own account.");
  const remedy = "run it with systemd as the account skein: sudo skein service install";
  return bad("warn", "The server runs as root, which it does not need.", remedy);
}

const ownersOf = (read: Reader) =>
  [...read.users.range()].filter((user) => user.is_active && isOwner(user) && !isBot(user));

function owners(read: Reader): Finding {
  const { length } = ownersOf(read);
  if (length > 1) return ok(`The organization has ${length} owners.`);
  const text = `The organization has ${length === 0 ? "no owner" : "only one owner"}.`;
  const remedy = "add another one: skein user role --email EMAIL --role owner";
  return bad(length === 0 ? "fail" : "warn", text, remedy);
}

function twoFactor(read: Reader): Finding {
  const all = ownersOf(read);
  const unprotected = all.filter(({ user_id }) => !hasSecondFactor(read, user_id));
  if (unprotected.length === 0) return ok("All owners use two-factor authentication.");
  const share = `${unprotected.length} of ${all.length}`;
  const text = `${share} owners sign in without two-factor authentication.`;
  return bad("warn", text, "each of them can set up an app or a passkey in the account settings");
}

function registration({ settings }: Reader): Finding {
  const { invite_required, emails_restricted_to_domains } = settings;
  if (invite_required) return ok("New users need an invitation.");
  if (emails_restricted_to_domains) {
    return ok("Anyone with an email address in the organization's domains can create an account.");
  }
  const remedy =
    "run skein org set --setting invite_required --value true, or restrict the domains";
  return bad("warn", "Anyone can create an account without an invitation.", remedy);
}

function spectators(isEnabled: boolean): Finding {
  if (!isEnabled) return ok("No channel can be read without an account.");
  const remedy = "if no channel needs to be public on the web: --web-public-streams off";
  return bad(
    "warn",
    "Channels can be made public on the web, readable without an account.",
    remedy,
  );
}

const YEAR_DAYS = 365;

function keys(read: Reader): Finding {
  const before = read.now - YEAR_DAYS * DAY_SECONDS;
  const unusedKeys = [...read.api_keys.range()].filter(({ last_used, user_id }) => {
    return last_used < before && read.users.get(user_id)?.is_active;
  });
  if (unusedKeys.length === 0) return ok("All API keys were used within the last year.");
  const text = `${unusedKeys.length} API keys were not used for a year.`;
  return bad("warn", text, "their users can remove them in the account settings");
}

const NAMES_MAX = 20;

/** Webhooks created by earlier versions have no setting for whom their messages may notify. */
function webhooks(read: Reader): Finding {
  const names = [...read.users.range()]
    .filter(({ is_active, bot_type }) => is_active && bot_type === INCOMING_WEBHOOK_BOT)
    .filter(({ user_id }) => botOf(read, user_id).can_notify === undefined)
    .map(({ full_name }) => full_name);
  if (names.length === 0) return ok("All incoming webhooks restrict whom they can notify.");
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : "";
  const list = names.slice(0, NAMES_MAX).join(", ") + more;
  const text = `External text can notify everyone through these incoming webhooks: ${list}.`;
  return bad(
    "warn",
    text,
    "their owners can restrict that in the settings of the bot, under Can notify",
  );
}
