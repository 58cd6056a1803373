// Cards of uploaded files: icon, name, type and size, a download button, and a preview.
import { element, icon } from "../../../content/node.ts";
import type { Event } from "../../../contract/snapshot.ts";
import { onRowAction } from "../../../feed/row-actions.ts";
import { onChange } from "../../../store/store.ts";
import { sync } from "../../../sync/session.ts";
import { formatSize } from "../../../words/numbers.ts";
import { t } from "../../../words/words.ts";
import { type FileFacts, factsOf, forgetRefused, knownFacts } from "./file-facts.ts";
import { iconOfFile, kindOfFile } from "./file-kinds-rules.ts";
import { fileNameOf, openPreviewOf } from "./open-preview.ts";
import { kindOf } from "../message-files.ts";

/** The size of a card's file is requested when the card is this close to the visible part. */
const LOAD_MARGIN = "200px";

const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting && target instanceof FileCard) void target.ask();
    }
  },
  { rootMargin: LOAD_MARGIN },
);

const DELETED = "data-gone";

class FileCard extends HTMLElement {
  private readonly note = element("small");

  connectedCallback(): void {
    const link = this.querySelector<HTMLAnchorElement>("a.card");
    if (!link) return;
    if (!this.note.isConnected) this.fill(link);
    const facts = knownFacts(link.pathname);
    this.show(facts);
    if (!facts) this.askWhenSeen();
  }

  askWhenSeen(): void {
    // An observer reports an element again only if it starts to observe it again.
    observer.unobserve(this);
    observer.observe(this);
  }

  disconnectedCallback(): void {
    observer.unobserve(this);
  }

  async ask(): Promise<void> {
    const link = this.querySelector<HTMLAnchorElement>("a.card");
    const facts = link && (await factsOf(link.pathname));
    if (!facts) return;
    observer.unobserve(this);
    this.show(facts);
  }

  private get name(): string {
    return this.querySelector("b")?.textContent?.trim() ?? "";
  }

  private fill(link: HTMLAnchorElement): void {
    const { name } = this;
    const title = link.querySelector("b");
    const file = fileNameOf(link.pathname, name);
    link.querySelector(".ext")?.replaceChildren(icon(iconOfFile(file)));
    if (title) {
      const words = element("span", "", this.note);
      title.replaceWith(words);
      words.prepend(title);
    }
    this.offer(link);
  }

  /** Adds the download button and the preview, unless they are there. */
  private offer(link: HTMLAnchorElement): void {
    if (this.querySelector(".icon-btn")) return;
    const { name } = this;
    const file = fileNameOf(link.pathname, name);
    const download = element("a", "icon-btn", icon("download", 18));
    download.href = link.pathname;
    download.download = file;
    download.title = t("download-named", { name });
    download.setAttribute("aria-label", download.title);
    this.append(download);
    if (!kindOfFile(file)) return;
    link.dataset["act"] = "preview-file";
    link.dataset["on"] = link.pathname;
    link.setAttribute("aria-haspopup", "dialog");
  }

  private show(facts: FileFacts | undefined): void {
    const link = this.querySelector<HTMLAnchorElement>("a.card");
    const type = link ? kindOf(fileNameOf(link.pathname, this.name)) : "";
    const size = facts?.size === undefined ? [] : [formatSize(facts.size)];
    const isGone = facts ? facts.size === undefined : this.hasAttribute(DELETED);
    this.toggleAttribute(DELETED, isGone);
    const text = isGone ? t("file-gone") : [...(type ? [type] : []), ...size].join(" · ");
    if (this.note.textContent !== text) this.note.textContent = text;
    if (!isGone) return void (link && this.offer(link));
    this.querySelector(".icon-btn")?.remove();
    link?.removeAttribute("aria-haspopup");
    if (link) delete link.dataset["act"];
  }
}

customElements.define("file-card", FileCard);

const UPLOADS = "/user_uploads/";
/** Events that can give access to a channel. */
const GRANTS: ReadonlySet<string> = new Set([
  ...["attachment", "realm_user", "stream", "subscription", "user_group"],
]);
/** Whether the event can give access to a channel, or to a message with a file. */
function grantsFileAccess(event: Event): boolean {
  if (event.type === "message") return event.message.content.includes(UPLOADS);
  if (event.type !== "update_message") return GRANTS.has(event.type);
  return event.new_stream_id !== undefined || event.content?.includes(UPLOADS) === true;
}

/** Refused files are requested again at most once in this time, plus as much at random. */
const AGAIN_MS = 2_000;
let timer: ReturnType<typeof setTimeout> | undefined;

function scheduleFactsRefresh(): void {
  timer ??= setTimeout(refreshFacts, AGAIN_MS * (1 + Math.random()));
}

function refreshFacts(): void {
  timer = undefined;
  forgetRefused();
  for (const card of document.querySelectorAll(`file-card[${DELETED}]`)) {
    if (card instanceof FileCard) card.askWhenSeen();
  }
}

sync.listen((events) => {
  if (events.some(grantsFileAccess)) scheduleFactsRefresh();
});
onChange((changed) => {
  // Events may have been missed.
  if (!changed) scheduleFactsRefresh();
});

onRowAction("preview-file", ({ node, on: path }) => {
  openPreviewOf(path, node.querySelector("b")?.textContent ?? "");
});
