// The switcher: one field to go to any conversation, channel, user or view, or to run a command.
import { ownValue } from "../../../text/input/own-value.ts";
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { addressOf, go, view } from "../../store/address.ts";
import { type Command, offeredCommands } from "../../ui/keys/commands.ts";
import { keyName } from "../../ui/keys/key-names.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Backdrop, CloseOnPhones } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { IconName } from "../../content/icon-names.ts";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { revealIn } from "../../ui/measure.ts";
import { directView, EVERYTHING, isView, type ConversationRef, type View } from "../../views.ts";
import { t, type TextKey, baseOf } from "../../words/words.ts";
import { channelHome } from "../channels/home-selectors.ts";
import { conversationName, topicName } from "../conversation/selectors.ts";
import { openInNewTab } from "../lists/open-view.ts";
import { viewOfConversation } from "../lists/selectors.ts";
import { loadRecent, recentKnown } from "../recent/load.ts";
import { lastConversations, visitedAt } from "../recent/visited.ts";
import { searchFor } from "../search/start-search.ts";
import { unresolved } from "../topics/rules.ts";
import {
  parseInput,
  type PaletteEntry,
  type HelpPage,
  type CandidateKind,
  dynamicEntries,
  type NamedView,
  staticEntries,
} from "./candidates.ts";
import { Hints, Option, SearchOption } from "./option.tsx";
import { prepared, Ranking } from "./ranking.ts";

/** The help pages by language, which the build generates. */
declare const SKEIN_HELP: Readonly<Record<string, readonly HelpPage[]>>;

const LAYER = "palette";
const RESULTS_MAX = 12;
const LAST_CONVERSATIONS = 8;

export function showPalette(start: string): void {
  commandsBelow = offeredCommands().filter(({ isUnlisted }) => !isUnlisted);
  openLayer(LAYER, <Palette start={start} />);
}

const viewOf = (textKey: TextKey, icon: IconName, view: View, command?: string): NamedView => {
  return { name: t(textKey), icon, view, ...(command !== undefined && { command }) };
};

const VIEWS = (): NamedView[] => [
  viewOf("inbox", "inbox", { kind: "inbox" }, "go-inbox"),
  viewOf("recent", "clock", { kind: "recent" }, "go-recent"),
  viewOf("everything", "layers", EVERYTHING, "go-everything"),
  viewOf("mentions", "at", isView("mentioned")),
  viewOf("starred", "star", isView("starred"), "go-starred"),
  viewOf("drafts", "pencil", { kind: "drafts" }, "go-drafts"),
  viewOf("scheduled", "calendar", { kind: "scheduled" }),
  viewOf("reminders", "timer", { kind: "reminders" }),
];

const nameLookup = () => ({
  nameOf: (conversation: ConversationRef) =>
    "user_ids" in conversation
      ? conversationName(conversation.user_ids)
      : topicName(unresolved(conversation.topic)),
  visitedAt,
  views: VIEWS(),
  help: ownValue(SKEIN_HELP, baseOf(document.documentElement.lang)) ?? SKEIN_HELP["en"] ?? [],
  commands: commandsBelow.map((command) => ({ name: nameOfCommand(command), command })),
});

const nameOfCommand = ({ textKey, group }: Command): string =>
  group === undefined ? t(textKey) : `${t(group)} → ${t(textKey)}`;

/** The commands that were available before the switcher opened. */
let commandsBelow: readonly Command[] = [];

function Palette({ start }: { start: string }) {
  subscribe("recent");
  const input = useSignal(start);
  const activeIndex = useSignal(0);
  useEffect(() => void loadRecent().catch(() => undefined), []);
  const { kind, query } = parseInput(input.value);
  const ranking = useRanking(kind);
  // Entries that arrive later do not move the displayed ones.
  const first = useMemo(() => firstOf(kind), [kind, recentKnown.down_to]);
  const entries = query.trim() === "" ? first : ranking.find(query, RESULTS_MAX);
  const hasSearch = kind === "all" && query.trim() !== "";
  const count = entries.length + (hasSearch ? 1 : 0);
  const search = () => {
    closeLayer(LAYER);
    searchFor(query.trim());
  };
  const run = (index: number, isInNewTab: boolean) => {
    const entry = entries[index];
    if (entry) open(entry, isInNewTab);
    else if (hasSearch) search();
  };
  return (
    <Backdrop id={LAYER}>
      <div class="palette" role="dialog" aria-modal="true" aria-label={t("go-to")}>
        <Field
          query={input}
          activeIndex={activeIndex}
          count={count}
          run={run}
          {...(hasSearch && { onSearch: search })}
        />
        <Options activeIndex={activeIndex} query={input.value}>
          {entries.map((entry, index) => (
            <Option
              key={entry.key}
              entry={entry}
              query={query}
              index={index}
              activeIndex={activeIndex.value}
              onPoint={() => (activeIndex.value = index)}
              onPress={(event) => run(index, event.ctrlKey || event.metaKey)}
            />
          ))}
          {hasSearch && (
            <SearchOption
              query={query.trim()}
              index={entries.length}
              activeIndex={activeIndex.value}
              onPoint={() => (activeIndex.value = entries.length)}
              onPress={search}
            />
          )}
        </Options>
        {count === 0 && query !== "" && <NoResults query={query} />}
        <Hints />
      </div>
    </Backdrop>
  );
}

function NoResults({ query }: { query: string }) {
  return (
    <p class="palette-none" role="status">
      {t("none-found", { words: query })}
    </p>
  );
}

interface FieldProps {
  query: Signal<string>;
  activeIndex: Signal<number>;
  count: number;
  run: (index: number, isInNewTab: boolean) => void;
  /** Tab searches messages for the typed text. */
  onSearch?: () => void;
}

function Field({ query, activeIndex, count, run, onSearch }: FieldProps) {
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0)
      activeIndex.value = count === 0 ? 0 : (activeIndex.value + step + count) % count;
    else if (event.key === "Enter") run(activeIndex.value, event.ctrlKey || event.metaKey);
    else if (event.key !== "Tab") return;
    else if (!event.shiftKey) onSearch?.();
    event.preventDefault();
  };
  return (
    <div class="palette-in">
      <Icon name="search" />
      <input
        ref={focusInput}
        role="combobox"
        aria-expanded={count > 0}
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-label={t("go-to")}
        aria-activedescendant={count > 0 ? `palette-${activeIndex.value}` : undefined}
        placeholder={t("palette-example")}
        value={query.value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          query.value = event.currentTarget.value;
          activeIndex.value = 0;
        }}
        onKeyDown={onKey}
      />
      <kbd>{keyName("Escape")}</kbd>
      <CloseOnPhones layer={LAYER} />
    </div>
  );
}

interface OptionsProps {
  activeIndex: Signal<number>;
  query: string;
  children: ComponentChildren;
}

/** Scrolls the selected option into view. */
function Options({ activeIndex, query, children }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const selectedOption = list.current?.querySelector("[aria-selected=true]");
    if (list.current && selectedOption) revealIn(list.current, selectedOption);
  }, [activeIndex.value, query]);
  return (
    <div class="palette-list" role="listbox" id="palette-list" aria-label={t("go-to")} ref={list}>
      {children}
    </div>
  );
}

const focusInput = (input: HTMLInputElement | null) => input?.focus();

function useRanking(kind: CandidateKind): Ranking<PaletteEntry> {
  const { down_to } = recentKnown;
  const still = useMemo(() => prepared(staticEntries(getState(), kind, nameLookup())), [kind]);
  return useMemo(() => {
    const moving = prepared(dynamicEntries(getState(), kind, nameLookup()));
    return new Ranking([...moving, ...still]);
  }, [still, down_to]);
}

/** Returns the entries before any input: recently visited places, or all of the prefix's kind. */
function firstOf(kind: CandidateKind): PaletteEntry[] {
  const state = getState();
  if (kind !== "all") {
    const dependencies = [state, kind, nameLookup()] as const;
    const all = [...dynamicEntries(...dependencies), ...staticEntries(...dependencies)];
    return all.sort((a, b) => b.recency - a.recency).slice(0, RESULTS_MAX);
  }
  const currentAddress = addressOf(view.peek());
  return lastConversations(state, LAST_CONVERSATIONS + 1)
    .filter(({ conversation }) => addressOf(viewOfConversation(conversation)) !== currentAddress)
    .slice(0, LAST_CONVERSATIONS)
    .map(({ key, conversation, max_id }) => {
      const name = nameLookup().nameOf(conversation);
      return { key, name, recency: max_id, target: { kind: "conversation", conversation } };
    });
}

function open({ target }: PaletteEntry, isInNewTab: boolean): void {
  closeLayer(LAYER);
  if (target.kind === "command") {
    void target.command.run();
    return;
  }
  if (target.kind === "help") {
    window.open(target.path, "_blank", "noopener");
    return;
  }
  const to = viewOfTarget(target);
  if (isInNewTab) openInNewTab(to);
  else go(to);
}

function viewOfTarget(target: Exclude<PaletteEntry["target"], { kind: "command" | "help" }>): View {
  const { me } = getState().people;
  switch (target.kind) {
    case "conversation":
      return viewOfConversation(target.conversation);
    case "channel":
      return channelHome(target.stream_id);
    case "person":
      return directView(target.user_id === me ? [] : [target.user_id], me);
    case "view":
      return target.view;
  }
}
