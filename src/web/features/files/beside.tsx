// At the side of a conversation: the newest files that were shared in it.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { addressOf } from "../../address.ts";
import { type FeedView, newestSegment } from "../../feed/view.ts";
import { viewFor } from "../../feed/views.ts";
import { keyed } from "../../live.ts";
import type { MessagesView } from "../../views.ts";
import { formatShortDay } from "../../words/dates.ts";
import { say } from "../../words/words.ts";
import { drawing } from "../conversation/drawing.ts";
import { filesAt } from "./address.ts";
import { filesOf, useLoaded, useWhatHolds, WITH_FILES } from "./loaded.ts";
import { Opener, Sign } from "./opener.tsx";
import type { SharedFile } from "./shared.ts";

const SHOWN_MAX = 3;
/** Messages that are looked through for files before the server is asked for those with some. */
const LOOKED_MAX = 200;
/** Delay, so that passing through views requests nothing. */
const REST_MS = 1000;

/** Renders nothing if no files were shared. */
export function FilesBeside({ of }: { of: MessagesView }) {
  const { terms } = of;
  const view = viewFor([...terms, WITH_FILES]);
  const feed = viewFor(terms);
  useWhatHolds(feed);
  const here = newestIn(feed);
  const isResting = useRest();
  useLoaded(view, { isFew: true, isLater: here.isSure || !isResting });
  const there = newestIn(view).files;
  const files = here.isSure || here.files.length > there.length ? here.files : there;
  const { length } = files;
  keyed(...files.map(({ message }) => `message:${message.id}`));
  if (length === 0) return null;
  return (
    <section class="panel-files" aria-label={say("files-here")}>
      <h2>
        {say("files-here")} <a href={addressOf(filesAt(of))}>{say("files-every")}</a>
      </h2>
      {files.map((file) => (
        <Row key={file.key} file={file} among={files} />
      ))}
    </section>
  );
}

function Row({ file, among }: { file: SharedFile; among: readonly SharedFile[] }) {
  const { message, name, cover } = file;
  return (
    <Opener file={file} among={among} class="person">
      <span class="shared-it">
        <Sign file={file} isSmall />
      </span>
      <span>
        <b title={cover ?? name}>
          <bdi>{cover ?? name}</bdi>
        </b>
        <small>
          <bdi>{drawing.senderOf(message).full_name}</bdi>,{" "}
          {formatShortDay(message.timestamp, Date.now() / 1000)}
        </small>
      </span>
    </Opener>
  );
}

interface Newest {
  files: SharedFile[];
  /** There are no newer ones, or none that would fit. */
  isSure: boolean;
}

/** As far as known without a request. */
function newestIn(view: FeedView): Newest {
  const known = newestSegment(view);
  const ids = known?.ids ?? [];
  const files: SharedFile[] = [];
  for (const id of ids.slice(-LOOKED_MAX).reverse()) {
    files.push(...filesOf(id));
    if (files.length >= SHOWN_MAX) return { files: files.slice(0, SHOWN_MAX), isSure: true };
  }
  return { files, isSure: known?.from === 0 && ids.length <= LOOKED_MAX };
}

function useRest(): boolean {
  const isResting = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (isResting.value = true), REST_MS);
    return () => clearTimeout(timer);
  }, []);
  return isResting.value;
}
