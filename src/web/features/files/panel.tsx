// The newest files of a conversation, in the panel at the side.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { addressOf } from "../../store/address.ts";
import { type FeedView, newestSegment } from "../../feed/segments.ts";
import { viewFor } from "../../store/feed-views.ts";
import { subscribe } from "../../store/store.ts";
import type { MessagesView } from "../../views.ts";
import { formatShortDay } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { contentContext } from "../conversation/reading-selectors.ts";
import { filesAt } from "./address.ts";
import { filesOf, useLoaded, useViewContent, WITH_FILES } from "./load-files.ts";
import { FileOpener, FileIcon } from "./opener.tsx";
import type { MessageFile } from "./message-files.ts";

const FILES_SHOWN_MAX = 3;
/** Number of known messages to search for files before the server is asked. */
const SEARCHED_MAX = 200;
/** Delay, so that passing through views requests nothing. */
const REQUEST_DELAY_MS = 1000;

/** Renders nothing if no files were shared. */
export function FilesPanel({ view: of }: { view: MessagesView }) {
  const { terms } = of;
  const view = viewFor([...terms, WITH_FILES]);
  const feed = viewFor(terms);
  useViewContent(feed);
  const here = newestIn(feed);
  const isResting = useInputPause();
  useLoaded(view, { isFew: true, isLater: here.isSure || !isResting });
  const newest = newestIn(view).files;
  const files = here.isSure || here.files.length > newest.length ? here.files : newest;
  const { length } = files;
  subscribe(...files.map(({ message }) => `message:${message.id}` as const));
  if (length === 0) return null;
  return (
    <section class="panel-files" aria-label={t("files-here")}>
      <h2>
        {t("files-here")} <a href={addressOf(filesAt(of))}>{t("files-every")}</a>
      </h2>
      {files.map((file) => (
        <Row key={file.key} file={file} siblings={files} />
      ))}
    </section>
  );
}

function Row({ file, siblings }: { file: MessageFile; siblings: readonly MessageFile[] }) {
  const { message, name, cover } = file;
  return (
    <FileOpener file={file} siblings={siblings} class="person">
      <span class="shared-it">
        <FileIcon file={file} isSmall />
      </span>
      <span>
        <b title={cover ?? name}>
          <bdi>{cover ?? name}</bdi>
        </b>
        <small>
          <bdi>{contentContext.senderOf(message).full_name}</bdi>,{" "}
          {formatShortDay(message.timestamp, Date.now() / 1000)}
        </small>
      </span>
    </FileOpener>
  );
}

interface NewestFiles {
  files: MessageFile[];
  /**
   * Whether `files` are certainly the newest: the server has no newer ones, or there is no room for
   * more.
   */
  isSure: boolean;
}

/** The newest files, as far as they are known without a request. */
function newestIn(view: FeedView): NewestFiles {
  const segment = newestSegment(view);
  const ids = segment?.ids ?? [];
  const files: MessageFile[] = [];
  for (const id of ids.slice(-SEARCHED_MAX).reverse()) {
    files.push(...filesOf(id));
    if (files.length >= FILES_SHOWN_MAX)
      return { files: files.slice(0, FILES_SHOWN_MAX), isSure: true };
  }
  return { files, isSure: segment?.from === 0 && ids.length <= SEARCHED_MAX };
}

function useInputPause(): boolean {
  const isResting = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (isResting.value = true), REQUEST_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return isResting.value;
}
