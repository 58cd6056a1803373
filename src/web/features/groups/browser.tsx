// The list of user groups, with their sizes and the user's own memberships.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { addressOf, go } from "../../store/address.ts";
import { remembered } from "../../ui/history-entry.ts";
import { subscribe, getState } from "../../store/store.ts";
import { compareNames, matchesWords } from "../../matching.ts";
import type { State } from "../../store/state.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { List } from "../../ui/list/list.tsx";
import { SearchField } from "../../ui/form/search-field.tsx";
import { Segments } from "../../ui/form/segments.tsx";
import { t, type TextKey } from "../../words/words.ts";
import { openInNewTab } from "../lists/open-view.ts";
import { ListView } from "../lists/list-view.tsx";
import { canChangeGroup, canCreateGroups } from "./editing-permissions.ts";
import { roleOf } from "./permissions.ts";
import { isMemberOf } from "./selectors.ts";
import { changeOwnMembership } from "./member-actions.ts";
import { groupIcon, groupName } from "./name-selectors.ts";
import { settingAudience } from "./audience-selectors.ts";
import {
  type GroupFilter,
  FILTERS,
  groupListView,
  groupView,
  newGroupView,
} from "./route-rules.ts";
import type { Group } from "./state.ts";

const WORDS: Readonly<Record<GroupFilter, TextKey>> = {
  all: "filter-all",
  your: "only-mine",
  deactivated: "deactivated-accounts",
};
const NONE: Readonly<Record<GroupFilter, TextKey>> = {
  all: "groups-none",
  your: "groups-none-mine",
  deactivated: "groups-none-deactivated",
};
const GUEST = 600;

export function GroupBrowser({ filter }: { filter: GroupFilter }) {
  subscribe("groups", "realm", "users");
  const state = getState();
  const text = useSignal("");
  const selectedRow = useSignal(remembered.peek().row);
  const isGuest = roleOf(state) === GUEST;
  const rows = isGuest ? [] : groupsFor(state, filter, text.value);
  const stableRows = useMemo(() => rows, [rows.map(({ key }) => key).join()]);
  return (
    <ListView
      title={t("groups")}
      sub={t("groups-hint")}
      label={t("groups")}
      actions={
        canCreateGroups(state) && (
          <Button kind="primary" icon="plus" onClick={() => go(newGroupView)}>
            {t("new-group")}
          </Button>
        )
      }
    >
      <div class="col channel-list">
        {!isGuest && (
          <div class="filters">
            <Segments
              all={FILTERS}
              selected={filter}
              nameOf={(filter) => t(WORDS[filter])}
              choose={(filter) => go(groupListView(filter), { replace: true })}
            />
            <SearchField text={text} label={t("filter-groups")} isFocused />
          </div>
        )}
        <List
          items={stableRows}
          selected={selectedRow}
          onOpen={({ group }, isInNewTab) => (isInNewTab ? openInNewTab : go)(groupView(group.id))}
          renderItem={({ key, group }, isSelected) => (
            <GroupRow key={key} itemKey={key} group={group} isSelected={isSelected} />
          )}
        />
        {rows.length === 0 && (
          <p class="empty-note">
            {isGuest
              ? t("groups-not-guests")
              : text.value === ""
                ? t(NONE[filter])
                : t("none-found", { words: text.value })}
          </p>
        )}
      </div>
    </ListView>
  );
}

function groupsFor(state: State, filter: GroupFilter, text: string) {
  return [...state.groups.groups.values()]
    .filter((group) => {
      if (group.is_system_group || group.deactivated !== (filter === "deactivated")) {
        return false;
      }
      if (filter === "your" && !isMemberOf(state.groups, group.id, state.people.me)) return false;
      return matchesWords(text, `${group.name} ${group.description}`);
    })
    .sort((a, b) => compareNames(a.name, b.name))
    .map((group) => ({ key: `${group.id}`, group }));
}

function GroupRow({
  itemKey,
  group: initialGroup,
  isSelected,
}: {
  itemKey: string;
  group: Group;
  isSelected: boolean;
}) {
  subscribe("groups");
  const state = getState();
  const group = state.groups.groups.get(initialGroup.id) ?? initialGroup;
  const { people } = settingAudience(state, group.id, true);
  return (
    <li class="list-row" data-key={itemKey} data-selected={isSelected ? "" : undefined}>
      <div class="lead">
        <span class="ch">
          <Icon name={groupIcon(group)} />
        </span>
        <div>
          <p class="top">
            <b>
              <a
                href={addressOf(groupView(group.id))}
                data-focus=""
                dir="auto"
                tabIndex={isSelected ? 0 : -1}
              >
                {groupName(group)}
              </a>
            </b>
            <small>{t("members", { count: people.size })}</small>
          </p>
          <p class="pre">
            <bdi>{group.description || "\u00a0"}</bdi>
          </p>
        </div>
      </div>
      <div class="end">
        <OwnMembershipRow group={group} tabIndex={isSelected ? 0 : -1} />
      </div>
    </li>
  );
}

/** Shows the user's membership, with buttons to join or leave if the group allows it. */
function OwnMembershipRow({ group, tabIndex }: { group: Group; tabIndex: number }) {
  subscribe("groups", "realm");
  const state = getState();
  const { me } = state.people;
  if (group.deactivated) return <span class="tag">{t("deactivated-accounts")}</span>;
  if (isMemberOf(state.groups, group.id, me)) return <span class="tag">{t("member")}</span>;
  if (!canChangeGroup(state, group, "can_join_group", "can_add_members_group")) return null;
  return (
    <Button
      icon="plus"
      tabIndex={tabIndex}
      aria-label={t("join-named", { name: group.name })}
      onClick={() => void changeOwnMembership(group.id, true)}
    >
      {t("join-channel")}
    </Button>
  );
}
