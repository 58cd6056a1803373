// All users of the organization: searching, changing roles, deactivating and reactivating them.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { go } from "../../../store/address.ts";
import { subscribe, getState, revisionOf } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { List } from "../../../ui/list/list.tsx";
import { SearchField } from "../../../ui/form/search-field.tsx";
import { Segments } from "../../../ui/form/segments.tsx";
import { formatCount } from "../../../words/numbers.ts";
import { t, type TextKey } from "../../../words/words.ts";
import { openInNewTab } from "../../lists/open-view.ts";
import { openProfile, userView } from "../../people/profile-dialog.tsx";
import { roleWord } from "../../people/selectors.ts";
import { openInvite } from "../invitations/dialog.tsx";
import { canInvite } from "../invitations/draft.ts";
import { isAdministrator } from "../permissions.ts";
import { ROLES } from "./permissions.ts";
import {
  countsOf,
  filterPeople,
  type PeopleKind,
  KINDS,
  type PeopleOrder,
  sortedPeople,
  ORDERS,
} from "./user-list.ts";
import { PersonRow } from "./person-row.tsx";
import { loadSignIns, signIns } from "./sign-ins.ts";

const WORDS: Readonly<Record<PeopleKind, TextKey>> = {
  people: "people",
  bots: "bots",
  deactivated: "deactivated",
};
const ORDER_WORDS: Readonly<Record<PeopleOrder, TextKey>> = {
  name: "sort-name",
  role: "org-sort-role",
  joined: "sort-newest",
  seen: "org-sort-last-active",
};

/** `at`: the user in the URL. */
export function PeoplePage({ anchor }: { anchor?: string | undefined }) {
  const kind = KINDS.find((kindName) => kindName === anchor) ?? "people";
  const [text, role] = [useSignal(""), useSignal<number | undefined>(undefined)];
  const [order, selectedRow] = [
    useSignal<PeopleOrder>("name"),
    useSignal<string | undefined>(undefined),
  ];
  const changes = revisionOf("users");
  subscribe(`user:${getState().people.me}`);
  const isAllowed = isAdministrator();
  useEffect(() => {
    // The rows show the date of joining if the times cannot be loaded.
    if (isAllowed) loadSignIns().catch(() => undefined);
    else signIns.value = new Map();
  }, [isAllowed]);
  const all = useMemo(
    () => sortedPeople(getState(), kind, order.value),
    [kind, order.value, changes],
  );
  const wished = { role: kind === "people" ? role.value : undefined, text: text.value };
  const items = useMemo(() => filterPeople(all, wished), [all, wished.role, wished.text]);
  return (
    <>
      <Top kind={kind} />
      <Filters text={text} role={role} order={order} hasRoles={kind === "people"} />
      {items.length === 0 && (
        <p class="empty-note">
          {text.value === "" ? t("settings-empty") : t("none-found", { words: text.value })}
        </p>
      )}
      <List
        items={items}
        selected={selectedRow}
        label={t(WORDS[kind])}
        onOpen={({ person: { user_id } }, isInNewTab) => {
          if (isInNewTab) openInNewTab(userView(user_id));
          else openProfile(user_id);
        }}
        renderItem={({ key, person }, isSelected) => (
          <PersonRow key={key} user_id={person.user_id} isSelected={isSelected} />
        )}
      />
    </>
  );
}

function Top({ kind }: { kind: PeopleKind }) {
  subscribe("users");
  const counts = countsOf(getState());
  return (
    <div class="org-top">
      <Segments
        all={KINDS.filter((kindName) => kindName !== "deactivated" || isAdministrator())}
        selected={kind}
        nameOf={(kindName) => (
          <>
            {t(WORDS[kindName])} <small>{formatCount(counts[kindName])}</small>
          </>
        )}
        choose={(kindName) =>
          go({ kind: "page", page: "organization", path: ["people", kindName] }, { replace: true })
        }
      />
      {kind === "people" && canInvite() && (
        <Button kind="primary" icon="invite" onClick={() => openInvite()}>
          {t("invite-people")}
        </Button>
      )}
      {kind === "bots" && (
        <Button icon="bot" onClick={() => go({ kind: "page", page: "settings", path: ["bots"] })}>
          {t("settings-bots")}
        </Button>
      )}
    </div>
  );
}

interface PeopleFilterProps {
  text: Signal<string>;
  role: Signal<number | undefined>;
  order: Signal<PeopleOrder>;
  hasRoles: boolean;
}

function Filters({ text, role, order, hasRoles }: PeopleFilterProps) {
  return (
    <div class="org-filters">
      <SearchField text={text} label={t("filter-people")} isFocused />
      {hasRoles && (
        <label class="field">
          <span class="vh">{t("org-role")}</span>
          <select
            value={role.value ?? ""}
            onChange={({ currentTarget: { value } }) => {
              role.value = value === "" ? undefined : Number(value);
            }}
          >
            <option value="">{t("org-any-role")}</option>
            {ROLES.map((role) => (
              <option key={role} value={role}>
                {t(roleWord({ role: role, is_bot: false }))}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        <span class="vh">{t("sort")}</span>
        <select
          value={order.value}
          onChange={({ currentTarget: { value } }) => {
            order.value = ORDERS.find((orderName) => orderName === value) ?? "name";
          }}
        >
          {ORDERS.map((orderName) => (
            <option key={orderName} value={orderName}>
              {t(ORDER_WORDS[orderName])}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
