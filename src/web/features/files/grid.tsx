// Images and files as tiles by month; arrow keys move between them.
import type { TargetedKeyboardEvent } from "preact";
import { addressOf } from "../../store/address.ts";
import { formatBrief } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { contentContext } from "../conversation/reading-selectors.ts";
import { TopicName } from "../page/topic-name.tsx";
import { elementOf } from "../../content/elements.ts";
import { viewAtMessage } from "../conversation/move-actions.ts";
import { FileOpener, FileIcon } from "./opener.tsx";
import type { MessageFile } from "./message-files.ts";

interface SharedGridProps {
  files: readonly MessageFile[];
  /** The files come from several conversations. */
  isWide: boolean;
}

export function FileGrid({ files, isWide }: SharedGridProps) {
  const month = new Intl.DateTimeFormat(document.documentElement.lang || "en", {
    month: "long",
    year: "numeric",
  });
  const months = Map.groupBy(files, ({ message }) => month.format(message.timestamp * 1000));
  return (
    <div class="shared" onKeyDown={moveByArrows}>
      {[...months].map(([name, ofMonth]) => (
        <section key={name} aria-label={name}>
          <h2>{name}</h2>
          <ul>
            {ofMonth.map((file) => (
              <FileTile key={file.key} file={file} files={files} isWide={isWide} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function FileTile({ file, files, isWide }: SharedGridProps & { file: MessageFile }) {
  const { message, cover } = file;
  const name = cover ?? file.name;
  const { stream_id, subject, timestamp } = message;
  const when = formatBrief(timestamp, Date.now() / 1000);
  return (
    <li>
      <FileOpener file={file} siblings={files} class="shared-it" label={name}>
        <FileIcon file={file} />
      </FileOpener>
      <b title={name}>
        <bdi>{name}</bdi>
      </b>
      <a class="shared-at" href={addressOf(viewAtMessage(message))} title={t("show-in-context")}>
        <bdi>{contentContext.senderOf(message).full_name}</bdi>, {when}
        {isWide && stream_id !== undefined && (
          <>
            {" · "}
            <TopicName topic={subject} />
          </>
        )}
      </a>
    </li>
  );
}

function moveByArrows(event: TargetedKeyboardEvent<HTMLElement>): void {
  const listItem = elementOf(event.target)?.closest("li");
  if (!listItem || event.ctrlKey || event.metaKey || event.altKey) return;
  const grid = event.currentTarget;
  const tiles = [...grid.querySelectorAll("li")];
  const columns = getComputedStyle(listItem.parentElement ?? grid).gridTemplateColumns.split(
    " ",
  ).length;
  const index = tiles.indexOf(listItem);
  const isMirrored = getComputedStyle(grid).direction === "rtl";
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: index + (isMirrored ? -1 : 1),
    ArrowLeft: index - (isMirrored ? -1 : 1),
    ArrowDown: Math.min(index + columns, tiles.length - 1),
    ArrowUp: Math.max(index - columns, 0),
    Home: 0,
    End: tiles.length - 1,
  };
  const to = tiles[targets[event.key] ?? -1];
  if (!to) return;
  event.preventDefault();
  event.stopPropagation();
  to.querySelector<HTMLElement>(".shared-it")?.focus();
}
