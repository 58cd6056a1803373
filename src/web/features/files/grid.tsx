// Pictures and files as tiles, month by month; arrows go from one to the next.
import { addressOf } from "../../address.ts";
import { formatBrief } from "../../words/dates.ts";
import { say } from "../../words/words.ts";
import { drawing, topicName } from "../conversation/drawing.ts";
import { inContext } from "../conversation/moves.ts";
import { Opener, Sign } from "./opener.tsx";
import type { SharedFile } from "./shared.ts";

interface Shown {
  files: readonly SharedFile[];
  /** The files are of several conversations. */
  isWide: boolean;
}

export function SharedGrid({ files, isWide }: Shown) {
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
              <Tile key={file.key} file={file} files={files} isWide={isWide} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Tile({ file, files, isWide }: Shown & { file: SharedFile }) {
  const { message, cover } = file;
  const name = cover ?? file.name;
  const { stream_id, subject, timestamp } = message;
  const when = formatBrief(timestamp, Date.now() / 1000);
  return (
    <li>
      <Opener file={file} among={files} class="shared-it" label={name}>
        <Sign file={file} />
      </Opener>
      <b title={name}>
        <bdi>{name}</bdi>
      </b>
      <a class="shared-at" href={addressOf(inContext(message))} title={say("show-in-context")}>
        <bdi>{drawing.senderOf(message).full_name}</bdi>, {when}
        {isWide && stream_id !== undefined && (
          <>
            {" · "}
            <bdi>{topicName(subject)}</bdi>
          </>
        )}
      </a>
    </li>
  );
}

function moveByArrows(event: KeyboardEvent): void {
  const here = (event.target as Element).closest("li");
  if (!here || event.ctrlKey || event.metaKey || event.altKey) return;
  const grid = event.currentTarget as HTMLElement;
  const tiles = [...grid.querySelectorAll("li")];
  const columns = getComputedStyle(here.parentElement!).gridTemplateColumns.split(" ").length;
  const at = tiles.indexOf(here);
  const isMirrored = getComputedStyle(grid).direction === "rtl";
  const places: Readonly<Record<string, number>> = {
    ArrowRight: at + (isMirrored ? -1 : 1),
    ArrowLeft: at - (isMirrored ? -1 : 1),
    ArrowDown: Math.min(at + columns, tiles.length - 1),
    ArrowUp: Math.max(at - columns, 0),
    Home: 0,
    End: tiles.length - 1,
  };
  const to = tiles[places[event.key] ?? -1];
  if (!to) return;
  event.preventDefault();
  event.stopPropagation();
  to.querySelector<HTMLElement>(".shared-it")?.focus();
}
