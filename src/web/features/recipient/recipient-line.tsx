// The line with the recipient of a message, connected to it by the channel's thread line.
import { subscribe } from "../../store/store.ts";
import { Icon } from "../../ui/icon.tsx";
import type { ConversationRef } from "../../views.ts";
import { barOf } from "../conversation/bar/selectors.ts";
import { TopicName } from "../page/topic-name.tsx";
import { TypingIndicator } from "../typing/writers.tsx";

export function RecipientLine({ conversation }: { conversation: ConversationRef }) {
  subscribe("channels", "users", "realm");
  const words = barOf(conversation);
  return (
    <div class="compose-to">
      <span class="knot" />
      <Icon name={words.icon} class="ch" size={16} />
      {words.channel && <b dir="auto">{words.channel.name}</b>}
      {words.channel && (
        <span class="sl" aria-hidden="true">
          ›
        </span>
      )}
      {"topic" in conversation ? (
        <TopicName topic={conversation.topic} class="compose-topic" />
      ) : (
        <bdi class="compose-topic">{words.title}</bdi>
      )}
      <TypingIndicator conversation={conversation} />
    </div>
  );
}
