// The page with the images and files of a conversation, a channel or everything, newest first.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { narrowOf, type NarrowTerm } from "../../../text/narrow-fragment.ts";
import { addressOf } from "../../store/address.ts";
import { newestSegment } from "../../feed/segments.ts";
import { viewFor } from "../../store/feed-views.ts";
import { subscribe, maybeState, getState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { Segments } from "../../ui/form/segments.tsx";
import { conversationOf, type View } from "../../views.ts";
import { t } from "../../words/words.ts";
import { nameOf } from "../page/selectors.ts";
import { ListView } from "../lists/list-view.tsx";
import { BlankRows } from "../../ui/loading/blank.tsx";
import { FileGrid } from "./grid.tsx";
import { filesOf, useLoaded, WITH_FILES } from "./load-files.ts";

const KINDS = ["all", "pictures", "documents"] as const;
type FileFilter = (typeof KINDS)[number];

export function FilesPage({ path }: { path: readonly string[] }) {
  const address = path.join("/");
  const terms = useMemo(() => (address === "" ? [] : (narrowOf(address) ?? [])), [address]);
  subscribe("channels", "users");
  const state = maybeState();
  if (!state) return null;
  return <Files key={address} terms={terms} isWide={!conversationOf(terms, state.people.me)} />;
}

function Files({ terms, isWide }: { terms: readonly NarrowTerm[]; isWide: boolean }) {
  const filesView: View = { kind: "messages", terms: [...terms] };
  const kind = useSignal<FileFilter>("all");
  const view = viewFor([...terms, WITH_FILES]);
  const { failure, load } = useLoaded(view);
  const newest = newestSegment(view);
  const all = (newest?.ids ?? []).toReversed().flatMap(filesOf);
  const visibleFiles = all.filter(
    ({ thumb }) => kind.value === "all" || (kind.value === "pictures") === (thumb !== undefined),
  );
  const more = newest !== undefined && newest.from > 0 ? newest : undefined;
  const isLoading = !newest && !failure;
  const isNone = (newest || failure === "refused") && visibleFiles.length === 0 && !more;
  return (
    <ListView
      title={
        <>
          <a class="crumb" href={addressOf(filesView)}>
            <bdi>{nameOf(filesView, getState())}</bdi>
          </a>
          <span class="sl" aria-hidden="true">
            ›
          </span>
          <bdi class="tp">{t("files")}</bdi>
        </>
      }
      label={t("files")}
    >
      <div class="col">
        <div class="filters">
          <Segments
            all={KINDS}
            selected={kind.value}
            nameOf={(kindName) => t(`files-${kindName}`)}
            choose={(kindName) => (kind.value = kindName)}
          />
        </div>
        <div aria-busy={isLoading}>
          {isLoading && <BlankRows />}
          <FileGrid files={visibleFiles} isWide={isWide} />
          {isNone && <p class="empty-note">{t("files-none")}</p>}
        </div>
        <div class="list-foot">
          {failure === "lost" && <p role="alert">{t("load-failed")}</p>}
          {(more || failure === "lost") && (
            <Button onClick={() => load(more)}>{t("load-more")}</Button>
          )}
        </div>
      </div>
    </ListView>
  );
}
