// Everybody in the organization: found, given roles, switched off and brought back.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { go } from "../../../address.ts";
import { keyed, now, onChange } from "../../../live.ts";
import { Button } from "../../../ui/button.tsx";
import { List } from "../../../ui/list/list.tsx";
import { SearchField } from "../../../ui/form/search-field.tsx";
import { Segments } from "../../../ui/form/segments.tsx";
import { formatCount } from "../../../words/numbers.ts";
import { say, type Word } from "../../../words/words.ts";
import { openAside } from "../../lists/open.ts";
import { openProfile, userView } from "../../people/profile-dialog.tsx";
import { roleWord } from "../../people/profile.ts";
import { openInvite } from "../invitations/dialog.tsx";
import { mayInvite } from "../invitations/asked.ts";
import { isAdministrator } from "../may.ts";
import { ROLES } from "./may.ts";
import { countsOf, foundIn, type Kind, KINDS, type Order, ordered, ORDERS } from "./listed.ts";
import { PersonRow } from "./person-row.tsx";

const WORDS: Readonly<Record<Kind, Word>> = {
  people: "people",
  bots: "bots",
  deactivated: "deactivated",
};
const ORDER_WORDS: Readonly<Record<Order, Word>> = {
  name: "sort-name",
  role: "org-by-role",
  joined: "sort-newest",
  seen: "org-by-seen",
};

/** `at`: which of them the address names. */
export function PeoplePage({ at }: { at?: string | undefined }) {
  const kind = KINDS.find((one) => one === at) ?? "people";
  const [words, role] = [useSignal(""), useSignal<number | undefined>(undefined)];
  const [order, chosen] = [useSignal<Order>("name"), useSignal<string | undefined>(undefined)];
  const changes = useChanges();
  const all = useMemo(() => ordered(now(), kind, order.value), [kind, order.value, changes]);
  const wished = { role: kind === "people" ? role.value : undefined, words: words.value };
  const items = useMemo(() => foundIn(all, wished), [all, wished.role, wished.words]);
  return (
    <>
      <Top kind={kind} />
      <Wishes words={words} role={role} order={order} hasRoles={kind === "people"} />
      {items.length === 0 && (
        <p class="empty-note">
          {words.value === "" ? say("settings-empty") : say("none-found", { words: words.value })}
        </p>
      )}
      <List
        items={items}
        chosen={chosen}
        label={say(WORDS[kind])}
        onOpen={({ person: { user_id } }, isAside) => {
          if (isAside) openAside(userView(user_id));
          else openProfile(user_id);
        }}
        draw={({ key, person }, isChosen) => (
          <PersonRow key={key} user_id={person.user_id} isChosen={isChosen} />
        )}
      />
    </>
  );
}

/** Grows whenever somebody came, left, or is another than before. */
function useChanges(): number {
  const changes = useSignal(0);
  useEffect(
    () =>
      onChange((changed) => {
        if (!changed || changed.has("users")) changes.value++;
      }),
    [],
  );
  return changes.value;
}

function Top({ kind }: { kind: Kind }) {
  keyed("users");
  const counts = countsOf(now());
  return (
    <div class="org-top">
      <Segments
        all={KINDS.filter((one) => one !== "deactivated" || isAdministrator())}
        chosen={kind}
        nameOf={(one) => (
          <>
            {say(WORDS[one])} <small>{formatCount(counts[one])}</small>
          </>
        )}
        choose={(one) =>
          go({ kind: "page", page: "organization", path: ["people", one] }, { replace: true })
        }
      />
      {kind === "people" && mayInvite() && (
        <Button kind="primary" icon="invite" onClick={() => openInvite()}>
          {say("invite-people")}
        </Button>
      )}
      {kind === "bots" && (
        <Button icon="bot" onClick={() => go({ kind: "page", page: "settings", path: ["bots"] })}>
          {say("settings-bots")}
        </Button>
      )}
    </div>
  );
}

interface Wishing {
  words: Signal<string>;
  role: Signal<number | undefined>;
  order: Signal<Order>;
  hasRoles: boolean;
}

function Wishes({ words, role, order, hasRoles }: Wishing) {
  return (
    <div class="org-filters">
      <SearchField words={words} label={say("filter-people")} leads />
      {hasRoles && (
        <label class="field">
          <span class="vh">{say("org-role")}</span>
          <select
            value={role.value ?? ""}
            onChange={({ currentTarget: { value } }) => {
              role.value = value === "" ? undefined : Number(value);
            }}
          >
            <option value="">{say("org-any-role")}</option>
            {ROLES.map((one) => (
              <option key={one} value={one}>
                {say(roleWord({ role: one, is_bot: false }))}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        <span class="vh">{say("sort")}</span>
        <select
          value={order.value}
          onChange={({ currentTarget: { value } }) => {
            order.value = ORDERS.find((one) => one === value) ?? "name";
          }}
        >
          {ORDERS.map((one) => (
            <option key={one} value={one}>
              {say(ORDER_WORDS[one])}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
