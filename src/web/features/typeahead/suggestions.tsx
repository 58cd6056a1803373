// The list of suggestions above the caret, also for screen readers.
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Avatar } from "../../ui/avatar.tsx";
import { Colored } from "../../ui/colored.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useBackHandler } from "../../ui/layers.ts";
import { formatBrief } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { getState } from "../../store/store.ts";
import type { Channel } from "../channels/state.ts";
import { showsGuestMarks } from "../conversation/reading-selectors.ts";
import { TopicName } from "../page/topic-name.tsx";
import { showsEmojiAsText } from "../emoji/selectors.ts";
import { channelIcon } from "./names.ts";
import { positionAt } from "../../ui/form/text-area.ts";
import type { Suggestion } from "./suggestion.ts";
import { descriptionText } from "../channels/selectors.ts";

interface SuggestionListProps {
  id: string;
  label: string;
  suggestions: readonly Suggestion[];
  active: number;
  /** Pixels from the start of the box. */
  offset: number;
  onChoose: (suggestion: Suggestion) => void;
  onPoint: (index: number) => void;
  onLeave: () => void;
}

export function SuggestionList(props: SuggestionListProps) {
  const { id, label, suggestions, active, offset, onChoose, onPoint } = props;
  const node = useRef<HTMLDivElement>(null);
  useBackHandler(props.onLeave);
  useLayoutEffect(() => {
    const { current } = node;
    if (current?.parentElement) positionAt(current, current.parentElement, offset);
  }, [offset, suggestions]);
  return (
    <div class="pop compose-pop" ref={node}>
      <p class="cap">{label}</p>
      <ul role="listbox" id={id} aria-label={label}>
        {suggestions.map((suggestion, index) => (
          <li
            class="item"
            role="option"
            id={`${id}-${index}`}
            key={suggestion.insertion}
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => index !== active && onPoint(index)}
            onClick={() => onChoose(suggestion)}
          >
            <SuggestionRow suggestion={suggestion} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function SuggestionRow({ suggestion }: { suggestion: Suggestion }) {
  switch (suggestion.kind) {
    case "person":
      return <PersonRow suggestion={suggestion} />;
    case "group":
      return suggestionNode(
        <Icon name="people" />,
        suggestion.name,
        t("group-notifies", counts(suggestion)),
      );
    case "wildcard": {
      const { count } = suggestion;
      const note = count === undefined ? t("notifies-topic") : t("notifies-many", { count });
      return suggestionNode(<Icon name="bell" />, suggestion.name, note);
    }
    case "channel":
      return suggestionNode(
        signOf(suggestion.channel),
        suggestion.channel.name,
        descriptionText(suggestion.channel),
      );
    case "topic":
      return (
        <>
          {signOf(suggestion.channel)}
          <TopicName topic={suggestion.topic} class="t" />
          <small>{suggestion.channel.name}</small>
        </>
      );
    case "emoji":
      return suggestionNode(
        showsEmojiAsText() ? undefined : <EmojiSign {...suggestion} />,
        `:${suggestion.name}:`,
      );
    case "slash":
      return suggestionNode(
        undefined,
        `/${suggestion.name}`,
        t(`slash-${suggestion.name}` as "slash-me"),
      );
    case "code":
      return suggestionNode(<Icon name="codeblock" />, suggestion.name);
  }
}

const suggestionNode = (leading: VNode | undefined, name: string, note = "") => (
  <>
    {leading}
    <bdi class="t">{name}</bdi>
    {note !== "" && <small>{note}</small>}
  </>
);

const signOf = (channel: Channel) => (
  <Colored color={channel.color} class="ch">
    <Icon name={channelIcon(channel)} />
  </Colored>
);

function EmojiSign({ url, glyph }: { url: string | undefined; glyph: string | undefined }) {
  return (
    <span class="emoji" aria-hidden="true">
      {url === undefined ? glyph : <img class="emoji" src={url} alt="" width={20} height={20} />}
    </span>
  );
}

function PersonRow({ suggestion }: { suggestion: Extract<Suggestion, { kind: "person" }> }) {
  const { person } = suggestion;
  const note = personNote(suggestion);
  return (
    <>
      <Avatar person={person} size={24} />
      <bdi class="t">{person.full_name}</bdi>
      {person.is_bot && <span class="tag">{t("bot")}</span>}
      {person.is_guest && showsGuestMarks() && <span class="tag">{t("guest")}</span>}
      {note && <small>{note}</small>}
    </>
  );
}

const counts = ({ count, notified }: { count: number; notified: number }) => ({ count, notified });

function personNote(suggestion: Extract<Suggestion, { kind: "person" }>): string | undefined {
  const { person, wroteAt, isOutside } = suggestion;
  const state = getState();
  if (person.user_id === state.people.me) return t("you");
  if (wroteAt !== undefined)
    return t("last-posted", { time: formatBrief(wroteAt, Date.now() / 1000) });
  if (isOutside) return t("not-in-conversation");
  return state.presence.status.get(person.user_id)?.status_text;
}
