// Uploads an archive in pieces, and continues an upload that was interrupted.
import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { ImportState } from "../../../../contract/shapes/imports.ts";
import {
  addToArchive,
  beginArchive,
  deleteArchive,
  PIECE_BYTES,
} from "../../../api/import-calls.ts";
import { csrfToken } from "../../../api/session.ts";
import { getState } from "../../../store/store.ts";
import { sync } from "../../../sync/session.ts";
import { Button } from "../../../ui/button.tsx";
import { Refusal } from "../../../ui/form/form.tsx";
import { errorText } from "../../../ui/form/save-errors.ts";
import { formatSize } from "../../../words/numbers.ts";
import { t } from "../../../words/words.ts";
import { Commands } from "./report.tsx";
import { load } from "./page-data.ts";

type StartedUpload = ImportState["upload"];

/** The upload goes on while the user looks at other pages. */
const sentBytes = signal<number | undefined>(undefined);
const size = signal(0);
const refusal = signal("");
let stopper: AbortController | undefined;

export function Upload({ upload }: { upload: StartedUpload }) {
  if (sentBytes.value !== undefined) {
    return <Sending sentBytes={sentBytes.value} size={size.value} pause={() => stopper?.abort()} />;
  }
  return (
    <>
      <p class="settings-intro">{t("import-sources")}</p>
      <p class="settings-fact">{t("import-by-command")}</p>
      <Commands lines={[`skein import run --data /var/lib/skein-new --from ${t("import-file")}`]} />
      {upload && (
        <p class="org-note">
          {t("import-upload-incomplete", {
            name: upload.name,
            done: formatSize(upload.received),
            size: formatSize(upload.size),
          })}
        </p>
      )}
      <Refusal text={refusal.value} />
      <div class="import-acts">
        <FileButton isFirst={!upload} choose={(file) => void choose(upload, file)} />
        {upload && <DeleteArchive refusal={refusal} />}
      </div>
    </>
  );
}

async function choose(upload: StartedUpload, file: File): Promise<void> {
  if (upload && (file.size !== upload.size || file.name !== upload.name)) {
    refusal.value = t("import-other-file", { name: upload.name });
    return;
  }
  refusal.value = "";
  stopper = new AbortController();
  const { signal } = stopper;
  [sentBytes.value, size.value] = [upload?.received ?? 0, file.size];
  try {
    if (!upload) await beginArchive(sync, { name: file.name, size: file.size });
    await sendAll(file, upload?.received ?? 0, signal, (sentNow) => (sentBytes.value = sentNow));
  } catch (error) {
    if (!signal.aborted) refusal.value = errorText(error);
  }
  // The number of bytes that the server has, before the file can be chosen again.
  await load();
  sentBytes.value = undefined;
}

function Sending({
  sentBytes,
  size,
  pause,
}: {
  sentBytes: number;
  size: number;
  pause: () => void;
}) {
  const text = t("import-uploading");
  return (
    <div class="import-running">
      <p role="status">{text}</p>
      <progress aria-label={text} max={Math.max(size, 1)} value={sentBytes} />
      <p class="settings-fact">
        {t("import-received", { done: formatSize(sentBytes), size: formatSize(size) })}
      </p>
      <div>
        <Button onClick={pause}>{t("import-pause")}</Button>
      </div>
    </div>
  );
}

export function DeleteArchive({ refusal: shownBeside }: { refusal: { value: string } }) {
  const remove = async () => {
    try {
      await deleteArchive(sync, {});
    } catch (error) {
      shownBeside.value = errorText(error);
    }
    await load();
  };
  return <Button onClick={() => void remove()}>{t("import-delete")}</Button>;
}

function FileButton({ isFirst, choose }: { isFirst: boolean; choose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = "";
          if (file) choose(file);
        }}
      />
      <Button kind="primary" icon="file" onClick={() => input.current?.click()}>
        {t(isFirst ? "import-choose" : "import-choose-again")}
      </Button>
    </>
  );
}

async function sendAll(
  file: File,
  from: number,
  signal: AbortSignal,
  onSent: (sentNow: number) => void,
): Promise<void> {
  const requestContext = { user_id: () => getState().people.me, csrf: csrfToken };
  let offset = from;
  while (offset < file.size) {
    // The pieces are sent one after the other, because the server checks where each begins.
    // oxlint-disable-next-line no-await-in-loop
    offset = await addToArchive(
      requestContext,
      offset,
      file.slice(offset, offset + PIECE_BYTES),
      signal,
    );
    onSent(offset);
  }
}
