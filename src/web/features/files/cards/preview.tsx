// Previews of files in a dialog, in which nothing that a file contains can run.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Dialog } from "../../../ui/dialog.tsx";
import { openLayer } from "../../../ui/layers.ts";
import { hasTouchScreen } from "../../../touch-screen.ts";
import { formatSize } from "../../../words/numbers.ts";
import { t } from "../../../words/words.ts";
import type { FileKind } from "./file-kinds-rules.ts";

const ID = "file-preview";
/** Longer texts are cut. */
const TEXT_BYTES_MAX = 262_144;

interface PreviewedFile {
  path: string;
  name: string;
  kind: FileKind;
}

export function openPreview(file: PreviewedFile): void {
  openLayer(ID, <Preview {...file} />);
}

function Preview({ path, name, kind }: PreviewedFile) {
  const foot = (
    <>
      <a class="btn" href={path} target="_blank" rel="noopener">
        {t("open-in-tab")}
      </a>
      <a class="btn" data-kind="primary" href={path} download={name}>
        {t("download")}
      </a>
    </>
  );
  const isShown = kind !== "pdf" || canShowPdf();
  return (
    <Dialog id={ID} title={name} foot={foot}>
      <div class="file-preview" data-kind={isShown ? kind : "none"}>
        {kind === "text" && <Text path={path} name={name} />}
        {kind === "pdf" && <Pdf path={path} name={name} />}
        {(kind === "audio" || kind === "video") && <Player path={path} name={name} kind={kind} />}
      </div>
    </Dialog>
  );
}

/** Phones show only the first page in a frame, or none. */
const canShowPdf = () => navigator.pdfViewerEnabled && !hasTouchScreen();

/**
 * Chrome and Safari show no PDF in a sandboxed frame. Their viewers run its scripts apart from
 * pages, and only a file that the server calls a PDF is framed: its headers let no other type run
 * scripts or have this page's origin.
 */
function Pdf({ path, name }: Omit<PreviewedFile, "kind">) {
  const type = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const abortController = new AbortController();
    fetch(path, { method: "HEAD", signal: abortController.signal }).then(
      ({ ok, headers }) => (type.value = (ok && headers.get("content-type")) || "unknown"),
      () => {
        if (!abortController.signal.aborted) type.value = "unknown";
      },
    );
    return () => abortController.abort();
  }, [path]);
  if (!canShowPdf()) return <p class="note">{t("pdf-elsewhere")}</p>;
  if (type.value === "application/pdf") return <iframe src={path} title={name} />;
  if (type.value === undefined) return null;
  return (
    <p class="note" role="alert">
      {t("preview-failed")}
    </p>
  );
}

function Player({ path, name, kind }: PreviewedFile) {
  const isBroken = useSignal(false);
  if (isBroken.value) return <p class="note">{t("cannot-play")}</p>;
  const attributes = {
    ...{ src: path, controls: true, preload: "metadata" as const, "aria-label": name },
    onError: () => void (isBroken.value = true),
  };
  return kind === "audio" ? <audio {...attributes} /> : <video {...attributes} playsInline />;
}

type LoadedText = { text: string; isCut: boolean } | "failed" | undefined;

function Text({ path, name }: Omit<PreviewedFile, "kind">) {
  const loaded = useSignal<LoadedText>(undefined);
  useEffect(() => {
    const abortController = new AbortController();
    textOf(path, abortController.signal).then(
      (text) => (loaded.value = text),
      () => {
        if (!abortController.signal.aborted) loaded.value = "failed";
      },
    );
    return () => abortController.abort();
  }, [path]);
  const { value } = loaded;
  if (value === "failed")
    return (
      <p class="note" role="alert">
        {t("preview-failed")}
      </p>
    );
  return (
    <>
      <pre tabIndex={0} aria-label={name} aria-busy={value === undefined}>
        {value?.text}
      </pre>
      {value?.isCut && <p class="note">{t("preview-cut", { size: formatSize(TEXT_BYTES_MAX) })}</p>}
    </>
  );
}

/** The beginning of a file as UTF-8. Throws if it is not available. */
async function textOf(path: string, signal: AbortSignal): Promise<Exclude<LoadedText, string>> {
  const headers = { Range: `bytes=0-${TEXT_BYTES_MAX - 1}` };
  const response = await fetch(path, { headers, signal });
  // An empty file has no range.
  if (response.status === 416) return { text: "", isCut: false };
  if (!response.ok) throw new Error(`${response.status}`);
  const size = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1] ?? 0);
  return { text: await response.text(), isCut: size > TEXT_BYTES_MAX };
}
