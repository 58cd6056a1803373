// All groups of people: which there are, how many are in each, and whether one is oneself.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { addressOf, go, remembered } from "../../address.ts";
import { keyed, known } from "../../live.ts";
import { compareNames, finds } from "../../matching.ts";
import type { State } from "../../state.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { List } from "../../ui/list/list.tsx";
import { SearchField } from "../../ui/form/search-field.tsx";
import { Segments } from "../../ui/form/segments.tsx";
import { say, type Word } from "../../words/words.ts";
import { openAside } from "../lists/open.ts";
import { ListSheet } from "../lists/sheet.tsx";
import { mayChangeGroup, mayMakeGroups } from "./asker.ts";
import { isIn, roleOf } from "./may.ts";
import { changeOwnMembership } from "./members.ts";
import { groupIcon, groupName } from "./names.ts";
import { reachOf } from "./reach.ts";
import { type Filter, FILTERS, groupListView, groupView, newGroupView } from "./route.ts";
import type { Group } from "./state.ts";

const WORDS: Readonly<Record<Filter, Word>> = {
  all: "filter-all",
  your: "only-mine",
  deactivated: "switched-off",
};
const NONE: Readonly<Record<Filter, Word>> = {
  all: "groups-none",
  your: "groups-none-mine",
  deactivated: "groups-none-off",
};
const GUEST = 600;

export function GroupBrowser({ filter }: { filter: Filter }) {
  keyed("groups", "realm", "users");
  const state = known()!;
  const words = useSignal("");
  const chosen = useSignal(remembered.peek().row);
  const isGuest = roleOf(state) === GUEST;
  const rows = isGuest ? [] : shownGroups(state, filter, words.value);
  const steady = useMemo(() => rows, [rows.map(({ key }) => key).join()]);
  return (
    <ListSheet
      title={say("groups")}
      sub={say("groups-mean")}
      label={say("groups")}
      acts={
        mayMakeGroups(state) && (
          <Button kind="primary" icon="plus" onClick={() => go(newGroupView)}>
            {say("new-group")}
          </Button>
        )
      }
    >
      <div class="col channel-list">
        {!isGuest && (
          <div class="filters">
            <Segments
              all={FILTERS}
              chosen={filter}
              nameOf={(one) => say(WORDS[one])}
              choose={(one) => go(groupListView(one), { replace: true })}
            />
            <SearchField words={words} label={say("filter-groups")} leads />
          </div>
        )}
        <List
          items={steady}
          chosen={chosen}
          onOpen={({ group }, isAside) => (isAside ? openAside : go)(groupView(group.id))}
          draw={({ key, group }, isChosen) => (
            <GroupRow key={key} itemKey={key} group={group} isChosen={isChosen} />
          )}
        />
        {rows.length === 0 && (
          <p class="empty-note">
            {isGuest
              ? say("groups-not-guests")
              : words.value === ""
                ? say(NONE[filter])
                : say("none-found", { words: words.value })}
          </p>
        )}
      </div>
    </ListSheet>
  );
}

function shownGroups(state: State, filter: Filter, words: string) {
  return [...state.groups.groups.values()]
    .filter((group) => {
      if (group.is_system_group || group.deactivated !== (filter === "deactivated")) {
        return false;
      }
      if (filter === "your" && !isIn(state.groups, group.id, state.people.me)) return false;
      return finds(words, `${group.name} ${group.description}`);
    })
    .sort((a, b) => compareNames(a.name, b.name))
    .map((group) => ({ key: `${group.id}`, group }));
}

function GroupRow({
  itemKey,
  group: given,
  isChosen,
}: {
  itemKey: string;
  group: Group;
  isChosen: boolean;
}) {
  keyed("groups");
  const state = known()!;
  const group = state.groups.groups.get(given.id) ?? given;
  const { people } = reachOf(state, group.id, true);
  return (
    <li class="list-row" data-key={itemKey} data-selected={isChosen ? "" : undefined}>
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
                tabIndex={isChosen ? 0 : -1}
              >
                {groupName(group)}
              </a>
            </b>
            <small>{say("members", { count: people.size })}</small>
          </p>
          <p class="pre">
            <bdi>{group.description || "\u00a0"}</bdi>
          </p>
        </div>
      </div>
      <div class="end">
        <Own group={group} tabIndex={isChosen ? 0 : -1} />
      </div>
    </li>
  );
}

/** Being in it: said, or offered where the group lets one come and go. */
function Own({ group, tabIndex }: { group: Group; tabIndex: number }) {
  keyed("groups", "realm");
  const state = known()!;
  const { me } = state.people;
  if (group.deactivated) return <span class="tag">{say("switched-off")}</span>;
  if (isIn(state.groups, group.id, me)) return <span class="tag">{say("member")}</span>;
  if (!mayChangeGroup(state, group, "can_join_group", "can_add_members_group")) return null;
  return (
    <Button
      icon="plus"
      tabIndex={tabIndex}
      aria-label={say("join-named", { name: group.name })}
      onClick={() => void changeOwnMembership(group.id, true)}
    >
      {say("join-channel")}
    </Button>
  );
}
