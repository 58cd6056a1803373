// The HTML of a message in an archive: local links and files, and nothing that contacts a server.
import type { Reader } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import { uploadPathId } from "../../../text/markdown/addresses.ts";
import { escapeLiteral } from "../../../text/markdown/serialize.ts";
import { decoded } from "../../../text/plain-text.ts";
import { narrowOf } from "../../../text/narrow-fragment.ts";
import { topicOf } from "../../messages/topic.ts";
import { storedHtml } from "../../messages/wire.ts";
import type { Html } from "../../i18n/markup.ts";
import type { Translator } from "../../i18n/translations.ts";
import { shownContent, widgetIn } from "../../public-pages/content.ts";
import type { Assets } from "./assets.ts";
import { channelPath, type ArchivedConversations, pagePath } from "./conversations.ts";

const THUMBNAIL = /^\/user_uploads\/thumbnail\/(.+)\/[^/]+$/;
const EMOJI = /^\/user_avatars\/1\/emoji\/images\/([^/?]+)$/;
const WEB = /^(?:https?|mailto|tel):/i;
/** Attributes with addresses that the archive does not need. */
const UNUSED = ["data-original-src", "srcset", "poster", "ping", "formaction", "background"];
const LOADING = "img, video, audio, source";

/** Converts the messages of one archive, whose pages are one folder below its root. */
export class ArchivedContent {
  constructor(
    private readonly reader: Reader,
    private readonly conversations: ArchivedConversations,
    private readonly assets: Assets,
    private readonly speech: Translator,
  ) {}

  of(message: Message): Html {
    const widget = widgetIn(message, this.speech);
    if (widget) return widget;
    return shownContent(this.rewriter().transform(storedHtml(message)), this.speech);
  }

  private rewriter(): HTMLRewriter {
    return new HTMLRewriter()
      .on("script, iframe, object, embed, form, link, meta, base", {
        element: (node) => void node.remove(),
      })
      .on("*", {
        element(node) {
          for (const name of UNUSED) node.removeAttribute(name);
        },
      })
      .on("a[href]", { element: (node) => this.link(node) })
      .on(LOADING, { element: (node) => this.media(node) });
  }

  private link(node: HTMLRewriterTypes.Element): void {
    const href = node.getAttribute("href") ?? "";
    const local = this.localPath(href);
    if (local !== undefined) node.setAttribute("href", `../${local}`);
    else if (WEB.test(href)) node.setAttribute("rel", "noopener noreferrer");
    else node.removeAttribute("href");
  }

  private media(node: HTMLRewriterTypes.Element): void {
    const src = this.onServer(node.getAttribute("src") ?? "");
    const path = src === undefined ? undefined : this.filePath(src);
    if (path !== undefined) return void node.setAttribute("src", `../${path}`);
    const text = node.getAttribute("alt") ?? node.getAttribute("title") ?? "";
    const label = text === "" ? this.speech.translate("archive-outside") : text;
    if (node.tagName === "img") node.replace(escapeLiteral(decoded(label)), { html: true });
    else node.remove();
  }

  /** The path from the root of the archive; undefined if the link leads out of it. */
  private localPath(href: string): string | undefined {
    const path = this.onServer(href);
    if (path === undefined) return undefined;
    const narrow = /^\/?#narrow\/(.+)$/s.exec(path)?.[1];
    return narrow === undefined ? this.filePath(path) : this.narrowPath(narrow);
  }

  private filePath(path: string): string | undefined {
    const emoji = EMOJI.exec(path)?.[1];
    if (emoji !== undefined) return this.assets.emoji(emoji);
    const original = THUMBNAIL.exec(path)?.[1];
    const path_id = uploadPathId(original === undefined ? path : `/user_uploads/${original}`);
    return path_id === undefined ? undefined : this.assets.upload(path_id);
  }

  private narrowPath(narrow: string): string | undefined {
    const terms = narrowOf(narrow) ?? [];
    const operand = (names: readonly string[]) =>
      terms.find(({ operator, negated }) => !negated && names.includes(operator))?.operand;
    const message = Number(operand(["near", "with", "id"]));
    if (Number.isSafeInteger(message) && message > 0) {
      const path = this.conversations.pathOf(message);
      if (path !== undefined) return path;
    }
    const stream_id = Number(/^\d+/.exec(operand(["channel"]) ?? "")?.[0]);
    if (!this.conversations.channels.has(stream_id)) return undefined;
    const name = operand(["topic"]);
    if (name === undefined) return channelPath(stream_id);
    const topic = topicOf(this.reader, stream_id, name);
    const conversation = topic && this.conversations.topics.get(topic.topic_id);
    return conversation && pagePath(conversation, 0);
  }

  /** Returns the part after the server's URL; undefined for addresses on other hosts. */
  private onServer(address: string): string | undefined {
    if (/^(?:\/(?!\/)|#)/.test(address)) return address;
    const { url } = this.reader.config;
    return address.startsWith(`${url}/`) ? address.slice(url.length) : undefined;
  }
}
