// A row of the switcher: icon, name with highlighted matches, and unread count.
import type { ComponentChildren } from "preact";
import { type Command, commandOf, keysOf } from "../../ui/keys/commands.ts";
import { keyName } from "../../ui/keys/key-names.ts";
import { getState } from "../../store/store.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { setColor } from "../../ui/colored.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { IconName } from "../../content/icon-names.ts";
import type { ConversationRef } from "../../views.ts";
import { t } from "../../words/words.ts";
import { barOf } from "../conversation/bar/selectors.ts";
import { personOf } from "../people/state.ts";
import { isResolved } from "../topics/rules.ts";
import type { PaletteEntry } from "./candidates.ts";
import { markedParts } from "./ranking.ts";

interface OptionRowProps {
  index: number;
  activeIndex: number;
  onPoint: () => void;
  onPress: (event: MouseEvent) => void;
}

type OptionProps = OptionRowProps & { entry: PaletteEntry; query: string };

export function Option({ entry, query, ...row }: OptionProps) {
  const { name, target } = entry;
  const topic =
    target.kind === "conversation" && "topic" in target.conversation
      ? target.conversation.topic
      : "";
  return (
    <OptionRow {...row}>
      <OptionIcon target={target} />
      {isResolved(topic) && <Icon name="resolve" size={16} />}
      <bdi class="t">
        {markedParts(query, name).map(({ text, isFound }, index) =>
          isFound ? <mark key={index}>{text}</mark> : text,
        )}
      </bdi>
      {isResolved(topic) && <span class="vh">{t("resolved")}</span>}
      <OptionDetail entry={entry} />
    </OptionRow>
  );
}

/** Searches messages for the typed text. */
export function SearchOption({ query, ...row }: OptionRowProps & { query: string }) {
  return (
    <OptionRow {...row}>
      <span class="slot">
        <Icon name="search" size={18} />
      </span>
      <span class="t">{t("search-messages-for", { words: query })}</span>
      <kbd>{keyName("Tab")}</kbd>
    </OptionRow>
  );
}

function OptionRow(props: OptionRowProps & { children: ComponentChildren }) {
  const { index, activeIndex, onPoint, onPress, children } = props;
  return (
    <div
      class="item"
      role="option"
      id={`palette-${index}`}
      aria-selected={activeIndex === index}
      onPointerMove={onPoint}
      onClick={onPress}
    >
      {children}
    </div>
  );
}

function OptionIcon({ target }: { target: PaletteEntry["target"] }) {
  if (
    target.kind === "person" ||
    (target.kind === "conversation" && "user_ids" in target.conversation)
  ) {
    const { people } = getState();
    const id = target.kind === "person" ? target.user_id : userOf(target.conversation);
    const person = personOf(people, id);
    return <span class="slot">{person && <Avatar person={person} size={24} />}</span>;
  }
  const stream_id =
    target.kind === "channel"
      ? target.stream_id
      : target.kind === "conversation" && "stream_id" in target.conversation
        ? target.conversation.stream_id
        : undefined;
  if (stream_id === undefined) {
    const icon = iconOf(target);
    return (
      <span class="slot">
        <Icon name={icon} size={18} />
      </span>
    );
  }
  const { icon, color } = barOf({ stream_id, topic: "" });
  return (
    <span class="slot ch" data-c="" ref={(node) => setColor(node, color)}>
      <Icon name={icon} size={18} />
    </span>
  );
}

function iconOf(target: PaletteEntry["target"]): IconName {
  if (target.kind === "help") return "help";
  return target.kind === "view" ? target.icon : "right";
}

const userOf = (conversation: ConversationRef): number =>
  "user_ids" in conversation ? (conversation.user_ids[0] ?? getState().people.me) : 0;

/** Shows the shortcut of the command, or the kind of other entries. */
function KeyOf({ command, fallback }: { command: Command | undefined; fallback: string }) {
  const [press] = command ? keysOf(command) : [];
  if (press === undefined) return <small>{fallback}</small>;
  return <kbd>{keyName(press)}</kbd>;
}

/** The kind of entry, or its number of unread messages. */
function OptionDetail({ entry: { key, target } }: { entry: PaletteEntry }) {
  const { unread } = getState();
  if (target.kind === "command") {
    return <KeyOf command={target.command} fallback={t("command")} />;
  }
  if (target.kind === "view") {
    const command = target.command === undefined ? undefined : commandOf(target.command);
    return <KeyOf command={command} fallback={t("view")} />;
  }
  if (target.kind === "channel") {
    const count = unread.channels.get(target.stream_id)?.shown ?? 0;
    if (count > 0) return <small>{t("unread-count", { count })}</small>;
    return <small>{target.isIn ? t("channel") : t("not-in-channel")}</small>;
  }
  if (target.kind === "help") return <small>{t("help-pages")}</small>;
  if (target.kind === "person") return <small>{t("direct-message")}</small>;
  const count = unread.conversations.get(key)?.ids.length ?? 0;
  const { conversation } = target;
  const channelName = "user_ids" in conversation ? undefined : barOf(conversation).channel?.name;
  return (
    <small>
      {channelName !== undefined && <bdi>{channelName}</bdi>}
      {channelName !== undefined && count > 0 && " · "}
      {count > 0 && t("unread-count", { count })}
    </small>
  );
}

export function Hints() {
  return (
    <footer aria-hidden="true">
      <span>
        <kbd>{keyName("Enter")}</kbd>
        {t("hint-open")}
      </span>
      <span>
        <kbd>{keyName("Mod+Enter")}</kbd>
        {t("hint-new-tab")}
      </span>
      <span>
        <kbd>&gt;</kbd>
        {t("hint-commands")}
      </span>
      <span>
        <kbd>#</kbd>
        {t("hint-channels")}
      </span>
      <span>
        <kbd>@</kbd>
        {t("hint-people")}
      </span>
    </footer>
  );
}
