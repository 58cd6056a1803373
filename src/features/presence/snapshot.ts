// The presence of users as a viewer may see it: complete, or the changes since an update.
import type { Static } from "typebox";
import { CAN, WANTS_SLIM_PRESENCE } from "../../contract/events.ts";
import type { legacyPresenceShape, modernPresenceShape } from "../../contract/shapes/people.ts";
import type { Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { visibilityTo } from "../people/access.ts";
import { emailOf } from "../people/wire.ts";
import { isBot } from "../rights/rules.ts";
import { isWithin } from "./rules.ts";
import { presencesOf } from "./state.ts";
import { legacyPresence, timesOf } from "./wire.ts";

interface PresenceQuery {
  form: "modern" | "legacy";
  /** The number of the newest update that the client has; -1: none. */
  last_update_id: number;
  history_days: number;
}

type Form = PresenceQuery["form"];
interface Forms {
  modern: Static<typeof modernPresenceShape>;
  legacy: Static<typeof legacyPresenceShape>;
}

type PresenceResponse<F extends Form> = {
  presences: Record<string, Forms[F]>;
  presence_last_update_id: number;
  server_timestamp: number;
};

export function presences<F extends Form>(
  realm: Realm,
  viewer: User,
  requested: PresenceQuery & { form: F },
): PresenceResponse<F> {
  const { read, clock } = realm;
  const server_timestamp = clock.now() / 1000;
  if (read.settings.presence_disabled) {
    return { presences: {}, presence_last_update_id: -1, server_timestamp };
  }
  const { form, last_update_id, history_days } = requested;
  const isSeen = visibilityTo(read, viewer);
  const people: Record<string, Forms[Form]> = {};
  let newest = last_update_id;
  for (const presence of presencesOf(realm).after(last_update_id)) {
    const user = read.users.get(presence.user_id);
    if (!user?.is_active || isBot(user) || !isSeen(user)) continue;
    if (last_update_id <= 0 && !isWithin(history_days, presence, read.now)) continue;
    if (form === "modern") people[user.user_id] = timesOf(user, presence);
    else people[emailOf(read, user)] = legacyPresence(user, presence);
    newest = presence.update_id;
  }
  return {
    presences: people as PresenceResponse<F>["presences"],
    presence_last_update_id: newest,
    server_timestamp,
  };
}

/** `presence`, in the modern form for clients that support it. */
export function presenceSnapshot(
  realm: Realm,
  viewer: User,
  options: { presence_history_limit_days: number; capabilities: number },
) {
  const isModern = options.capabilities & (WANTS_SLIM_PRESENCE | CAN.simplified_presence_events);
  return presences(realm, viewer, {
    form: isModern ? "modern" : "legacy",
    last_update_id: -1,
    history_days: options.presence_history_limit_days,
  });
}
