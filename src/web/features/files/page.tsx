// The pictures and files of a conversation, a channel or everything: the newest first.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { narrowOf, type NarrowTerm } from "../../../text/narrow-fragment.ts";
import { addressOf } from "../../address.ts";
import { newestSegment } from "../../feed/view.ts";
import { viewFor } from "../../feed/views.ts";
import { keyed, known, now } from "../../live.ts";
import { Button } from "../../ui/button.tsx";
import { Segments } from "../../ui/form/segments.tsx";
import { placeOf, type View } from "../../views.ts";
import { say } from "../../words/words.ts";
import { nameOf } from "../frame/name.ts";
import { ListSheet } from "../lists/sheet.tsx";
import { Blanks } from "../recent/view.tsx";
import { SharedGrid } from "./grid.tsx";
import { filesOf, useLoaded, WITH_FILES } from "./loaded.ts";

const KINDS = ["all", "pictures", "documents"] as const;
type Kind = (typeof KINDS)[number];

export function FilesPage({ path }: { path: readonly string[] }) {
  const address = path.join("/");
  const terms = useMemo(() => (address === "" ? [] : (narrowOf(address) ?? [])), [address]);
  keyed("channels", "users");
  const state = known();
  if (!state) return null;
  return <Files key={address} terms={terms} isWide={!placeOf(terms, state.people.me)} />;
}

function Files({ terms, isWide }: { terms: readonly NarrowTerm[]; isWide: boolean }) {
  const of: View = { kind: "messages", terms: [...terms] };
  const kind = useSignal<Kind>("all");
  const view = viewFor([...terms, WITH_FILES]);
  const { failure, load } = useLoaded(view);
  const newest = newestSegment(view);
  const all = (newest?.ids ?? []).toReversed().flatMap(filesOf);
  const shown = all.filter(
    ({ thumb }) => kind.value === "all" || (kind.value === "pictures") === (thumb !== undefined),
  );
  const more = newest !== undefined && newest.from > 0 ? newest : undefined;
  const isLoading = !newest && !failure;
  const isNone = (newest || failure === "refused") && shown.length === 0 && !more;
  return (
    <ListSheet
      title={
        <>
          <a class="crumb" href={addressOf(of)}>
            <bdi>{nameOf(of, now())}</bdi>
          </a>
          <span class="sl" aria-hidden="true">
            ›
          </span>
          <bdi class="tp">{say("files")}</bdi>
        </>
      }
      label={say("files")}
    >
      <div class="col">
        <div class="filters">
          <Segments
            all={KINDS}
            chosen={kind.value}
            nameOf={(one) => say(`files-${one}`)}
            choose={(one) => (kind.value = one)}
          />
        </div>
        <div aria-busy={isLoading}>
          {isLoading && <Blanks />}
          <SharedGrid files={shown} isWide={isWide} />
          {isNone && <p class="empty-note">{say("files-none")}</p>}
        </div>
        <div class="list-foot">
          {failure === "lost" && <p role="alert">{say("load-failed")}</p>}
          {(more || failure === "lost") && (
            <Button onClick={() => load(more)}>{say("load-more")}</Button>
          )}
        </div>
      </div>
    </ListSheet>
  );
}
