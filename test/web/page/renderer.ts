// Entry of a test page: the client's message renderer, and code that reads rendered rows.
import type { RenderContext } from "../../../src/web/content/enrich.ts";
import { enrich } from "../../../src/web/content/enrich.ts";
import { loadSpoilerImages } from "../../../src/web/content/media.ts";
import { parseContent } from "../../../src/web/content/parse.ts";
import { markdownOf } from "../../../src/web/features/editor/markdown.ts";
import { picturesIn } from "../../../src/web/features/files/pictures.ts";
import { filesIn } from "../../../src/web/features/files/message-files.ts";
import { lineOf } from "../../../src/web/features/messages/preview-selectors.ts";
import type { Message } from "../../../src/web/contract/message.ts";
import { makeRow, type RowContext } from "../../../src/web/feed/row.ts";

interface RenderFailure {
  html: string;
  error: string;
}

const reading: RenderContext = {
  me: 31,
  nameOf: (user_id) => (user_id === 31 ? "Mia Ruiz" : undefined),
  groupNameOf: (group_id) => (group_id === 17 ? "support" : undefined),
  isOwnGroup: (group_id) => group_id === 17,
  colorOf: () => "#3a6",
  playgroundsOf: () => [{ id: 1, name: "Try it" }],
  setting: (name) => (name === "web_animate_image_previews" ? "on_hover" : undefined),
};

const drawing: RowContext = {
  ...reading,
  senderOf: ({ sender_id, sender_full_name }) => ({
    user_id: sender_id,
    full_name: sender_full_name,
    avatar_url: null,
    is_bot: false,
    is_guest: false,
    status_emoji: undefined,
  }),
  addressOf: () => "#feed",
  peopleIn: () => "",
  isHidden: () => false,
  signsOf: () => [],
  hasHistory: () => true,
  pendingOf: () => undefined,
  showSending: () => undefined,
  markedOf: () => undefined,
  editorOf: () => undefined,
  widgetOf: () => undefined,
};

const messageOf = (content: string, id: number): Message => ({
  id,
  type: "stream",
  sender_id: 31,
  sender_full_name: "Mia Ruiz",
  stream_id: 9,
  subject: "a",
  display_recipient: "design",
  content,
  timestamp: 1_900_000_000,
  is_me_message: id % 7 === 0,
  reactions: [],
  submessages: [],
  flags: [],
  topic_links: [],
});

/** Renders each message as the page does, and returns those that threw an error. */
function failuresOf(contents: readonly string[]): RenderFailure[] {
  const failures: RenderFailure[] = [];
  const report = (html: string) => (error: unknown) => {
    failures.push({
      html,
      error: error instanceof Error ? `${error.message} ${error.stack}` : String(error),
    });
  };
  for (const [index, html] of contents.entries()) {
    globalThis.reportError = report(html);
    try {
      const message = messageOf(html, index + 1);
      const row = makeRow(message, index % 2 === 0, drawing);
      enrich(parseContent(html), reading);
      document.body.replaceChildren(row);
      for (const node of row.querySelectorAll("details")) node.open = true;
      loadSpoilerImages(row);
      picturesIn(row);
      markdownOf(row);
      filesIn(message);
      lineOf(message);
    } catch (error) {
      globalThis.reportError(error);
    }
  }
  return failures;
}

interface RenderedContent {
  text: string;
  html: string;
  errors: string[];
  isTall: boolean;
}

/** Visible parts of a message row. */
function shownOf(content: string): RenderedContent {
  const errors: string[] = [];
  globalThis.reportError = (error: unknown) => void errors.push(String(error));
  const row = makeRow(messageOf(content, 1), false, drawing);
  const node = row.querySelector(".md");
  return {
    text: node?.textContent ?? "",
    html: node?.innerHTML ?? "",
    errors,
    isTall: "tall" in row.dataset,
  };
}

Object.assign(globalThis, { failuresOf, shownOf });
