// Renders the HTML of a message for pages without scripts: no inline styles, marked external links.
import type { Message } from "../../schema/records-messages.ts";
import { lettersOf } from "../../text/emoji.ts";
import { type Option, pollOf } from "../../text/widgets/poll.ts";
import { type Task, todoOf } from "../../text/widgets/todo.ts";
import { Html, markup } from "../i18n/markup.ts";
import type { Translator } from "../i18n/translations.ts";

/** The half of a formula that browsers can display by themselves. */
const KATEX_HTML = ".katex-html";

const rewriter = new HTMLRewriter()
  .on("[style]", { element: (node) => void node.removeAttribute("style") })
  .on(KATEX_HTML, { element: (node) => void node.remove() })
  .on("span.emoji", {
    element(node) {
      // Uses the system's emoji glyph, since no script renders an image.
      const glyph = lettersOf((node.getAttribute("class") ?? "").split(" "));
      if (glyph !== undefined) node.setInnerContent(glyph);
    },
  })
  .on(".spoiler-block", { element: (node) => void (node.tagName = "details") })
  .on(".spoiler-header", {
    element(node) {
      node.tagName = "summary";
      node.prepend("Spoiler ");
    },
  })
  // A native disclosure element needs no script to open.
  .on(".spoiler-content", { element: (node) => void node.removeAttribute("aria-hidden") })
  .on("img", { element: (node) => void node.setAttribute("loading", "lazy") })
  .on("a[href]", {
    element(node) {
      const href = node.getAttribute("href") ?? "";
      // Views of the client are relative to the root.
      if (href.startsWith("#")) node.setAttribute("href", `/${href}`);
      // Search engines do not follow links, which removes the incentive for spam.
      else if (!href.startsWith("/")) node.setAttribute("rel", "nofollow ugc noopener noreferrer");
    },
  });

/**
 * `translator`: the language for times. They include their zone, as the reader's is unknown.
 */
export function shownContent(html: string, translator: Translator): Html {
  const rewritten = rewriter.transform(html);
  if (!rewritten.includes("<time")) return new Html(rewritten);
  const context = new HTMLRewriter().on("time[datetime]", {
    element(node) {
      const time = Date.parse(node.getAttribute("datetime")!) / 1000;
      if (!Number.isNaN(time)) node.setInnerContent(translator.formatTime(time, "UTC"));
    },
  });
  return new Html(context.transform(rewritten));
}

/** The state of a poll or to-do list without the voters; undefined for other messages. */
export function widgetIn(
  { submessages, sender_id }: Message,
  translator: Translator,
): Html | undefined {
  if (submessages === null) return undefined;
  const poll = pollOf(submessages, sender_id);
  if (poll)
    return listSection(
      poll.question,
      poll.options.map((option) => optionLine(option, translator)),
    );
  const list = todoOf(submessages, sender_id);
  return (
    list &&
    listSection(
      list.title,
      list.tasks.map((task) => taskLine(task, translator)),
    )
  );
}

function listSection(title: string, lines: readonly Html[]): Html {
  const head = title === "" ? markup`` : markup`<p><b>${title}</b></p>`;
  return markup`${head}<ul>${lines.map((line) => markup`<li>${line}</li>`)}</ul>`;
}

const optionLine = ({ text, votes }: Option, { translate }: Translator): Html =>
  markup`<bdi>${text}</bdi> · ${translate("public-votes", { count: votes.length })}`;

function taskLine({ task, desc, isDone }: Task, { translate }: Translator): Html {
  const taskText = desc === "" ? markup`<bdi>${task}</bdi>` : markup`<bdi>${task}</bdi>: ${desc}`;
  return isDone ? markup`<s>${taskText}</s> · ${translate("public-done")}` : taskText;
}
