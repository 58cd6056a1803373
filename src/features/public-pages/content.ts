// The HTML of a message as a page without scripts shows it: no styles of its own, links told apart.
import type { Message } from "../../schema/records-messages.ts";
import { lettersOf } from "../../text/emoji.ts";
import { widgetOf } from "../../text/widget.ts";
import { Html, markup } from "../speech/markup.ts";
import type { Speech } from "../speech/speech.ts";

/** Of formulas the half that browsers draw by themselves is kept. */
const STYLED_HALF = ".katex-html";

const rewriter = new HTMLRewriter()
  .on("[style]", { element: (node) => void node.removeAttribute("style") })
  .on(STYLED_HALF, { element: (node) => void node.remove() })
  .on("span.emoji", {
    element(node) {
      // The system's own glyph, as there is no script that would draw one.
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
  // It is open or not by itself, to all alike.
  .on(".spoiler-content", { element: (node) => void node.removeAttribute("aria-hidden") })
  .on("img", { element: (node) => void node.setAttribute("loading", "lazy") })
  .on("a[href]", {
    element(node) {
      const href = node.getAttribute("href") ?? "";
      // Views of the client lie at the root.
      if (href.startsWith("#")) node.setAttribute("href", `/${href}`);
      // Nobody writes here to be found by a search engine.
      else if (!href.startsWith("/")) node.setAttribute("rel", "nofollow ugc noopener noreferrer");
    },
  });

/** `speech`: in which times are told, with their zone, as nobody's is known. */
export function shownContent(html: string, speech: Speech): Html {
  const shown = rewriter.transform(html);
  if (!shown.includes("<time")) return new Html(shown);
  const telling = new HTMLRewriter().on("time[datetime]", {
    element(node) {
      const at = Date.parse(node.getAttribute("datetime")!) / 1000;
      if (!Number.isNaN(at)) node.setInnerContent(speech.moment(at, "UTC"));
    },
  });
  return new Html(telling.transform(shown));
}

/** What a poll asks, or what a to-do list begins with; undefined of other messages. */
export function askedIn({ content, submessages }: Message): Html | undefined {
  const widget = submessages === null ? undefined : widgetOf(content);
  if (!widget) return undefined;
  const [title, lines] =
    widget.widget_type === "poll"
      ? [widget.extra_data.question, widget.extra_data.options.map((one) => markup`${one}`)]
      : [widget.extra_data.task_list_title, widget.extra_data.tasks.map(taskLine)];
  const head = title === "" ? markup`` : markup`<p><b>${title}</b></p>`;
  return markup`${head}<ul>${lines.map((line) => markup`<li>${line}</li>`)}</ul>`;
}

const taskLine = ({ task, desc }: { task: string; desc: string }): Html =>
  desc === "" ? markup`${task}` : markup`${task}: ${desc}`;
