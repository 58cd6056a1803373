// Renders runs of messages: keeps, moves, creates and removes rows.
import { withoutStackedMarks } from "../../text/input/combining-marks.ts";
import { attempt } from "../content/catch-errors.ts";
import { parseContent } from "../content/parse.ts";
import { setChildren, element, icon, iconButton } from "../content/node.ts";
import { keyOfConversation } from "../conversation-keys.ts";
import { formatDay, formatShortDay } from "../words/dates.ts";
import { t } from "../words/words.ts";
import { unresolved } from "../features/topics/rules.ts";
import type { ConversationRef } from "../views.ts";
import type { MessageRun } from "./items.ts";
import type { Message } from "../contract/message.ts";
import { localNumber } from "./local-ids.ts";
import { type RowContext, fillRow, makeRow, mark, nameRow, setMarks } from "./row.ts";

/** The data with which bars above conversations are rendered. */
export interface BarContext extends RowContext {
  now(): number;
  /** Returns the icon, names and links of a bar. */
  barOf(conversation: ConversationRef): BarWords;
}

export interface BarWords {
  icon: "hash" | "lock" | "globe" | "chat";
  color: string | undefined;
  /** The channel; undefined for direct messages. */
  channel: { name: string; address: string } | undefined;
  /** The name of the conversation; a topic has no prefix of resolved topics here. */
  title: string;
  isResolved?: boolean;
  address: string;
}

export class Painter {
  private readonly rows = new Map<number, HTMLElement>();
  private readonly heads = new Map<string, HTMLElement>();
  private readonly feeds = new Map<string, HTMLElement>();

  constructor(
    private readonly column: HTMLElement,
    private readonly context: BarContext,
  ) {}

  /** Makes the page show exactly these runs. */
  paint(runs: readonly MessageRun[]): void {
    const keys = new Set(runs.map(({ key }) => key));
    const blocks: { run: MessageRun; parts: HTMLElement[] }[] = [];
    for (const run of runs) {
      const children = this.partsOf(run);
      // The New line belongs to the block of its day, so that the date stays at the top while the
      // user scrolls.
      if (run.head.kind === "new") blocks.at(-1)?.parts.push(...children);
      else blocks.push({ run, parts: children });
    }
    const elements = blocks.map(({ run, parts }) => this.block(run, parts));
    for (const key of this.feeds.keys()) {
      if (keys.has(key)) continue;
      this.heads.delete(key);
      this.feeds.delete(key);
    }
    setChildren(this.column, elements);
    const visibleIds = new Set(runs.flatMap(({ rows }) => rows.map(({ message }) => message.id)));
    for (const id of this.rows.keys()) if (!visibleIds.has(id)) this.rows.delete(id);
  }

  /** The row of a message, if it is in the page. */
  rowOf(id: number): HTMLElement | undefined {
    return this.rows.get(id);
  }

  get size(): number {
    return this.rows.size;
  }

  /** Names of channels or users changed, so the headings are rendered again. */
  resetHeads(): void {
    this.heads.clear();
  }

  /** Renders these rows again after their messages or senders changed. */
  patch(
    runs: readonly MessageRun[],
    isStale: (message: MessageRun["rows"][number]["message"]) => boolean,
  ): void {
    for (const run of runs) {
      for (const { message, isFollowUp } of run.rows) {
        const row = this.rows.get(message.id);
        if (row && isStale(message)) fillRow(row, message, isFollowUp, this.context);
      }
      this.markNewLine(run);
    }
  }

  /**
   * If the first unread message is in the page, the New line continues as the line along unread
   * messages.
   */
  private markNewLine({ head, key, rows: [first] }: MessageRun): void {
    if (head.kind !== "new") return;
    mark(this.heads.get(key)!, "read", first?.message.flags.includes("read") === true);
  }

  private partsOf(run: MessageRun): HTMLElement[] {
    const { key, head, rows } = run;
    let feed = this.feeds.get(key);
    if (!feed) {
      feed = element("div", "run");
      feed.setAttribute("role", "feed");
      this.feeds.set(key, feed);
    }
    let above = this.heads.get(key);
    if (!above) {
      above = attempt(
        () => this.headNode(head),
        () => element("div", "line"),
      );
      this.context.removeControls?.(above);
      this.heads.set(key, above);
    }
    this.markNewLine(run);
    feed.setAttribute("aria-label", above.dataset["name"] ?? "");
    setChildren(
      feed,
      rows.map((row) => this.rowNode(row)),
    );
    return rows.length === 0 ? [above] : [above, feed];
  }

  private rowNode({ message, isFollowUp }: MessageRun["rows"][number]): HTMLElement {
    const row = this.rows.get(message.id) ?? this.confirmedRow(message);
    if (!row) {
      const element = makeRow(message, isFollowUp, this.context);
      this.rows.set(message.id, element);
      return element;
    }
    if ("follow" in row.dataset !== isFollowUp) {
      fillRow(row, message, isFollowUp, this.context);
    } else setMarks(row, message, isFollowUp);
    return row;
  }

  /** The row of the unconfirmed message becomes the row of the confirmed one. */
  private confirmedRow(message: Message): HTMLElement | undefined {
    const { local_message_id, id } = message;
    if (local_message_id === undefined) return undefined;
    const local = localNumber(local_message_id);
    const row = this.rows.get(local);
    if (!row) return undefined;
    this.rows.delete(local);
    this.rows.set(id, row);
    nameRow(row, message);
    fillRow(row, message, "follow" in row.dataset, this.context);
    return row;
  }

  /** Separators stick to the top while their rows are visible: a day, or a topic's bar. */
  private block({ head }: MessageRun, children: HTMLElement[]): HTMLElement {
    const name = head.kind === "bar" ? "conv" : "stretch";
    const existingBlock = children.find(({ parentElement }) => parentElement)?.parentElement;
    const block = existingBlock?.classList.contains(name) ? existingBlock : element("div", name);
    if (head.kind === "bar") {
      const { color } = this.context.barOf(head.conversation);
      block.dataset["place"] = keyOfConversation(head.conversation);
      if (color !== undefined) {
        block.dataset["c"] = "";
        block.style.setProperty("--c", color);
      }
    }
    setChildren(block, children);
    return block;
  }

  private headNode(head: MessageRun["head"]): HTMLElement {
    if (head.kind === "bar") return this.barNode(head.conversation, head.time, head.result);
    const name = head.kind === "new" ? t("new-messages") : formatDay(head.time, this.context.now());
    const line = element("div", "line");
    line.dataset["name"] = name;
    if (head.kind === "new") {
      line.dataset["new"] = "";
      line.setAttribute("role", "separator");
      line.append(element("span", "", name));
      return line;
    }
    const button = element("button", "", name);
    button.type = "button";
    button.dataset["act"] = "jump-to-date";
    button.dataset["on"] = `${head.time}`;
    line.append(button);
    return line;
  }

  private barNode(
    conversation: ConversationRef,
    index: number,
    hit: Message | undefined,
  ): HTMLElement {
    const words = this.context.barOf(conversation);
    const bar = element("header", "conv-bar");
    const iconNode = icon(words.icon, 18);
    if (words.color !== undefined) iconNode.classList.add("ch");
    const title = element("h2");
    const name = element("bdi", "", withoutStackedMarks(words.title));
    const highlighted = hit && this.context.markedOf(hit)?.subject;
    const subject = highlighted && parseContent(highlighted.replace(/^(✔ )+/u, ""));
    // The topic may have been renamed since.
    if (subject && subject.textContent === unresolved(hit.subject)) name.replaceChildren(subject);
    const topic = element("a", "tp", name);
    topic.href = hit ? this.context.addressOf(hit) : words.address;
    if (words.channel) {
      const channel = element(
        "a",
        "crumb",
        element("bdi", "", withoutStackedMarks(words.channel.name)),
      );
      channel.href = words.channel.address;
      const arrow = element("span", "sl", "›");
      arrow.setAttribute("aria-hidden", "true");
      title.append(iconNode, channel, arrow, topic);
      if (words.isResolved) {
        topic.before(icon("resolve", 16));
        topic.after(element("span", "vh", t("resolved")));
      }
    } else title.append(iconNode, topic);
    const date = element("time", "date");
    for (const format of [formatDay, formatShortDay]) {
      date.append(element("span", "", format(index, this.context.now())));
    }
    bar.append(title, date);
    const spoken = words.isResolved ? `${words.title}, ${t("resolved")}` : words.title;
    bar.dataset["name"] = words.channel ? `${words.channel.name} › ${spoken}` : spoken;
    const read = iconButton("check", t("mark-topic-read"), "mark-place-read");
    read.dataset["on"] = JSON.stringify(conversation);
    bar.append(read);
    if (words.channel) {
      const more = iconButton("dots", t("more"), "place-menu");
      more.dataset["on"] = JSON.stringify(conversation);
      bar.append(more);
    }
    return bar;
  }
}
