// The pages of an HTML archive: the list of channels and conversations, topics, and messages.
import type { Reader } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Channel } from "../../../schema/records.ts";
import { lettersOf } from "../../../text/emoji.ts";
import { Html, joinMarkup, markup } from "../../i18n/markup.ts";
import type { Translator } from "../../i18n/translations.ts";
import { canSeeUser } from "../../people/access.ts";
import type { Viewer } from "../../rights/rules.ts";
import { SPECTATOR } from "../../rights/rules.ts";
import type { Assets } from "./assets.ts";
import type { ArchivedContent } from "./content.ts";
import {
  channelPath,
  pagePath,
  type ArchivedConversation,
  type ArchivedConversations,
} from "./conversations.ts";

const INITIALS_MAX = 2;
const TONES = 6;

export class ArchivePages {
  constructor(
    private readonly reader: Reader,
    private readonly viewer: Viewer,
    private readonly conversations: ArchivedConversations,
    private readonly content: ArchivedContent,
    private readonly assets: Assets,
    private readonly speech: Translator,
  ) {}

  /** The names of the channels with readable messages, in order. */
  channels(): Channel[] {
    const topicRows = [...this.conversations.channels].flatMap(
      (id) => this.reader.channels.get(id) ?? [],
    );
    return topicRows.sort((a, b) => a.name.localeCompare(b.name));
  }

  topicsOf({ stream_id }: Channel): ArchivedConversation[] {
    const topics = [...this.conversations.topics.values()].filter(
      (conversation) => conversation.stream_id === stream_id,
    );
    return topics.sort((a, b) => b.last.id - a.last.id);
  }

  titleOf(conversation: ArchivedConversation): string {
    if (conversation.kind === "direct") return this.peopleIn(conversation);
    const name = this.reader.topics.get(conversation.id)?.name ?? "";
    return name === "" ? this.speech.translate("archive-general") : name;
  }

  /** Returns the title of a conversation, preceded by the channel's name for a topic. */
  fullTitleOf(conversation: ArchivedConversation): string {
    const channel = this.reader.channels.get(conversation.stream_id);
    return channel
      ? `#${channel.name} › ${this.titleOf(conversation)}`
      : this.titleOf(conversation);
  }

  index(): Html {
    const { translate } = this.speech;
    const channels = this.channels();
    const directs = [...this.conversations.directs.values()].sort((a, b) => b.last.id - a.last.id);
    const rows = channels.map((channel) => this.channelRow(channel));
    const others = directs.map((conversation) => this.conversationRow(conversation, ""));
    const none = markup`<p class="hint">${translate("archive-empty")}</p>`;
    return markup`<h1>${translate("archive-title")}</h1>
<noscript><p class="hint">${translate("archive-no-script")}</p></noscript>
${rows.length + others.length === 0 ? none : markup``}
${rows.length > 0 ? this.section(translate("archive-channels"), rows) : markup``}
${others.length > 0 ? this.section(translate("archive-directs"), others) : markup``}`;
  }

  channel(channel: Channel): Html {
    const { translate } = this.speech;
    const topics = this.topicsOf(channel);
    const description = markup`<p class="lead">${channel.description}</p>`;
    const name = markup`<span aria-hidden="true">#</span> <bdi>${channel.name}</bdi>`;
    return markup`${this.trail()}<h1>${name}</h1>
${channel.description === "" ? markup`` : description}
${this.section(
  translate("archive-topics"),
  topics.map((conversation) => this.conversationRow(conversation, "../")),
)}`;
  }

  messages(conversation: ArchivedConversation, page: number): Html {
    const title = this.titleOf(conversation);
    const days: Html[] = [];
    let day = "";
    let before: Message | undefined;
    for (const message of this.conversations.messagesOn(conversation, page)) {
      const dayText = this.speech.day(message.timestamp);
      if (dayText !== day) days.push(markup`<h2 class="day">${dayText}</h2>`);
      const isSame = dayText === day && before?.sender_id === message.sender_id;
      days.push(this.message(message, isSame));
      day = dayText;
      before = message;
    }
    const channel = this.reader.channels.get(conversation.stream_id);
    return markup`${this.trail(channel)}<h1><bdi>${title}</bdi></h1>
${this.pager(conversation, page)}${joinMarkup(days)}${this.pager(conversation, page)}`;
  }

  nameOf(user_id: number): string {
    const user = this.reader.users.get(user_id);
    const isSeen = user && canSeeUser(this.reader, this.viewer, user);
    return isSeen ? user.full_name : this.speech.translate("archive-unknown");
  }

  private peopleIn({ id }: ArchivedConversation): string {
    const { user_ids = [] } = this.reader.conversations.get(id) ?? {};
    const viewer_id = this.viewer === SPECTATOR ? 0 : this.viewer.user_id;
    const others = user_ids.filter((user_id) => user_id !== viewer_id || user_ids.length === 1);
    return others.map((user_id) => this.nameOf(user_id)).join(", ");
  }

  private section(title: string, rows: readonly Html[]): Html {
    return markup`<section><h2>${title}</h2><ul class="rows">${rows}</ul></section>`;
  }

  private channelRow(channel: Channel): Html {
    const { translate } = this.speech;
    const topics = this.topicsOf(channel);
    const count = topics.reduce((sum, topic) => sum + topic.count, 0);
    const facts = [
      translate("archive-topic-count", { count: topics.length }),
      translate("archive-count", { count }),
      ...(channel.invite_only ? [translate("archive-private")] : []),
      ...(channel.is_archived ? [translate("archive-archived")] : []),
    ].join(" · ");
    return markup`<li><a href="${channelPath(channel.stream_id)}"># <bdi>${channel.name}</bdi></a>
<small>${facts}</small></li>`;
  }

  private conversationRow(conversation: ArchivedConversation, root: string): Html {
    const { translate } = this.speech;
    const facts = `${translate("archive-count", { count: conversation.count })} · ${this.speech.day(
      conversation.last.timestamp,
    )}`;
    const [path, title] = [pagePath(conversation, 0), this.titleOf(conversation)];
    return markup`<li><a href="${root}${path}"><bdi>${title}</bdi></a>
<small>${facts}</small></li>`;
  }

  private trail(channel?: Channel): Html {
    const { translate } = this.speech;
    const links = [markup`<a href="../index.html">${translate("archive-title")}</a>`];
    if (channel) {
      const path = channelPath(channel.stream_id);
      links.push(markup` <span aria-hidden="true">/</span> `);
      links.push(markup`<a href="../${path}"># <bdi>${channel.name}</bdi></a>`);
    }
    return markup`<nav class="trail" aria-label="${translate("archive-trail")}">${links}</nav>`;
  }

  private pager(conversation: ArchivedConversation, page: number): Html {
    const pages = conversation.starts.length;
    if (pages === 1) return markup``;
    const { translate } = this.speech;
    const to = (other: number, word: "public-earlier" | "public-later") =>
      other < 0 || other >= pages
        ? markup``
        : markup`<a href="../${pagePath(conversation, other)}">${translate(word)}</a>`;
    const position = translate("archive-page", { page: page + 1, pages });
    return markup`<nav class="pager" aria-label="${position}">${to(page - 1, "public-earlier")}
<span>${position}</span>${to(page + 1, "public-later")}</nav>`;
  }

  private message(message: Message, isSame: boolean): Html {
    const { id, sender_id, timestamp, last_edit_timestamp } = message;
    const name = this.nameOf(sender_id);
    const iso = new Date(timestamp * 1000).toISOString();
    const time = iso.slice(11, 16);
    const edited =
      last_edit_timestamp === null
        ? markup``
        : markup` <small>${this.speech.translate("archive-edited")}</small>`;
    const head = isSame
      ? markup`<span class="unseen">${name}</span>`
      : markup`<span class="face tone-${sender_id % TONES}" aria-hidden="true">${initialsOf(
          name,
        )}</span><b class="who"><bdi>${name}</bdi></b>`;
    const timestampText = this.speech.stamp(timestamp);
    const stamp = markup`<time datetime="${iso}" title="${timestampText}">${time}</time>`;
    const content = markup`<div class="content">${this.content.of(message)}</div>`;
    return markup`<article class="message${isSame ? " same" : ""}" id="m${id}">${head}
<a class="time" href="#m${id}">${stamp}</a>${edited}${content}${this.reactions(message)}</article>
`;
  }

  private reactions({ reactions }: Message): Html {
    if (!reactions || reactions.length === 0) return markup``;
    const groups = Map.groupBy(reactions, ({ reaction_type, emoji_code, emoji_name }) =>
      [reaction_type, emoji_code, emoji_name].join(" "),
    );
    const chips = [...groups.values()].map((sameEmoji) => {
      const { emoji_code, emoji_name, reaction_type } = sameEmoji[0]!;
      const names = sameEmoji.map(({ user_id }) => this.nameOf(user_id)).join(", ");
      const emojiHtml = this.emoji(reaction_type, emoji_code, emoji_name);
      const userNames = markup`<span class="unseen"> ${names}</span>`;
      const chip = markup`${emojiHtml} ${sameEmoji.length}${userNames}`;
      return markup`<li title=":${emoji_name}: ${names}">${chip}</li>`;
    });
    return markup`<ul class="reactions">${chips}</ul>`;
  }

  private emoji(type: string, code: string, name: string): Html {
    const custom = type === "realm_emoji" ? this.reader.custom_emoji.get(Number(code)) : undefined;
    const path = custom && this.assets.emoji(custom.file);
    if (path !== undefined) return markup`<img class="emoji" src="../${path}" alt=":${name}:">`;
    return markup`${lettersOf([`emoji-${code}`]) ?? `:${name}:`}`;
  }
}

function initialsOf(name: string): string {
  const letters = name
    .split(/\s+/)
    .map((word) => [...word][0] ?? "")
    .filter((letter) => /\p{L}|\p{N}/u.test(letter));
  return letters.slice(0, INITIALS_MAX).join("").toUpperCase() || "?";
}
