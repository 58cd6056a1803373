// Ending an account that was made to spam, with what it wrote: for whom the server lets one.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ADMINISTRATOR, MODERATOR, OWNER } from "../../../contract/roles.ts";
import { HOUR_SECONDS } from "../../../contract/units.ts";
import { fetchPerson } from "../../api/manage-calls.ts";
import { sync } from "../../here.ts";
import { keyed, now } from "../../live.ts";
import type { State } from "../../state.ts";
import { Button } from "../../ui/button.tsx";
import { say } from "../../words/words.ts";
import { roleOf } from "../groups/may.ts";
import { openDeactivate } from "./deactivate.tsx";
import type { Person } from "./state.ts";

/** Administrators everybody's but owners'; moderators perhaps, of those who are here newly. */
function mayEnd(state: State, person: Person): boolean | "perhaps" {
  const { people, organization } = state;
  const [role, { user_id, is_bot }] = [roleOf(state), person];
  if (user_id === people.me || is_bot || people.deactivated.has(user_id)) return false;
  if (role <= ADMINISTRATOR) return role === OWNER || person.role !== OWNER;
  if (role !== MODERATOR || person.role <= MODERATOR) return false;
  const hours = Number(organization.fields["realm_newcomer_hours"] ?? 0);
  const seconds = (Date.now() - Date.parse(person.date_joined)) / 1000;
  return seconds < hours * HOUR_SECONDS && "perhaps";
}

/** Beside other things that one can do about somebody; `leave`: what lies over dialogs closes. */
export function EndSpamButton({ person, leave }: { person: Person; leave?: () => void }) {
  keyed("users", "realm");
  const may = mayEnd(now(), person);
  const isUninvited = useSignal(false);
  const { user_id } = person;
  useEffect(() => {
    if (may !== "perhaps") return;
    // Only the server knows whom the user has invited.
    fetchPerson(sync, { user_id }).then(
      ({ user }) => (isUninvited.value = user.signed_up === true),
      () => undefined,
    );
  }, [user_id, may]);
  if (may === false || (may === "perhaps" && !isUninvited.value)) return null;
  const end = () => {
    leave?.();
    openDeactivate(person, true);
  };
  return (
    <Button kind="danger" onClick={end}>
      {say("end-spam")}
    </Button>
  );
}
