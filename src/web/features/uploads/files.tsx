// The attachments of a text as chips: picture, name, size, progress, and buttons to act on them.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { showToast } from "../../ui/toast.tsx";
import { addressOf } from "../../store/address.ts";
import type { View } from "../../views.ts";
import { formatSize } from "../../words/numbers.ts";
import { t } from "../../words/words.ts";
import { stores } from "../compose/stores-sync.ts";
import { type Attachment, attachmentOf } from "./attached-rules.ts";
import type { Upload } from "./uploads-sync.ts";

/** The text beside the chips. */
interface AttachedLinks {
  readonly links: { readonly value: readonly string[] };
  add(links: readonly string[]): void;
  remove(index: number): () => void;
  onReplaced: (() => void) | undefined;
}

interface AttachmentsProps {
  text: AttachedLinks;
  /** The text that the files belong to; rejected files are shown only there. */
  owner: string;
}

export function Attachments({ text, owner }: AttachmentsProps) {
  const uploads = stores.value?.uploads;
  const refused = [...(uploads?.all.value.values() ?? [])].filter(
    (upload) => upload.refused && upload.owner === owner,
  );
  const links = text.links.value;
  const arrived = uploads?.finished.value;
  useEffect(() => () => text.onReplaced?.(), [text]);
  return (
    <>
      <span class="vh" role="status">
        {arrived && links.includes(arrived.link) && t("is-attached", { name: arrived.name })}
      </span>
      {links.length + refused.length > 0 && (
        <ul class="compose-uploads" aria-label={t("attachments")}>
          {links.map((link, index) => (
            <LinkChip key={keyOf(links, index)} link={link} index={index} text={text} />
          ))}
          {refused.map((upload) => (
            <RefusedChip key={upload.key} upload={upload} text={text} />
          ))}
        </ul>
      )}
    </>
  );
}

/** The same file can be attached twice, so the key contains the index. */
const keyOf = (links: readonly string[], index: number): string =>
  `${links.slice(0, index).filter((link) => link === links[index]).length} ${links[index]}`;

function LinkChip({ link, index, text }: { link: string; index: number; text: AttachedLinks }) {
  const { name, url, key } = attachmentOf(link);
  const uploads = stores.value?.uploads;
  const upload = key === undefined ? undefined : uploads?.all.value.get(key);
  const remove = () => {
    // Cancelling also notifies other tabs, and drafts with the same file.
    if (upload) return uploads?.cancel(upload.key);
    const undo = text.remove(index);
    if (url === undefined) return;
    text.onReplaced = showToast({ text: t("attachment-removed", { name }), undo });
  };
  const file = upload?.file ?? (url === undefined ? undefined : uploads?.files.get(url));
  return (
    <li data-state={url === undefined ? "uploading" : "done"}>
      <Picture name={name} url={url} file={file} />
      <span class="what">
        <bdi>{name}</bdi>
        {url === undefined ? (
          <Progress name={name} upload={upload} />
        ) : (
          <Facts name={name} url={url} bytes={file?.size} />
        )}
      </span>
      <Remove label={t(upload ? "cancel-upload" : "remove-named", { name })} run={remove} />
    </li>
  );
}

function Progress({ name, upload }: { name: string; upload: Upload | undefined }) {
  if (!upload) return <small>{t("uploads-elsewhere")}</small>;
  const { size, sent, isWaiting } = upload;
  return (
    <>
      <small>
        {isWaiting ? <span role="status">{t("upload-waiting")}</span> : formatSize(size)}
      </small>
      <progress max={Math.max(1, size)} value={sent} aria-label={t("uploading", { name })} />
    </>
  );
}

/** Kind and size: the size of a file of another device comes from the server. */
function Facts({ name, url, bytes }: { name: string; url: string; bytes: number | undefined }) {
  const fetchedBytes = useSignal<number | undefined>(undefined);
  useEffect(() => {
    if (bytes !== undefined) return undefined;
    const stop = new AbortController();
    void fetch(url, { method: "HEAD", signal: stop.signal })
      .then(({ ok, headers }) => {
        if (ok) fetchedBytes.value = Number(headers.get("Content-Length")) || undefined;
      })
      .catch(() => undefined);
    return () => stop.abort();
  }, [url, bytes]);
  const size = bytes ?? fetchedBytes.value;
  const kind = /\.([a-z\d]{1,5})$/i.exec(name)?.[1]?.toUpperCase();
  const facts = [kind, size === undefined ? undefined : formatSize(size)];
  return <small>{facts.filter(Boolean).join(" · ")}</small>;
}

function RefusedChip({ upload, text }: { upload: Upload; text: AttachedLinks }) {
  const { key, name, file, refused, canRetry } = upload;
  const uploads = stores.value?.uploads;
  return (
    <li data-state="failed">
      <Picture name={name} url={undefined} file={file} />
      <span class="what">
        <bdi>{name}</bdi>
        <small role="alert">
          {refused?.words}
          {refused?.isQuotaFull && (
            <>
              {" "}
              <a href={addressOf(MY_FILES)}>{t("settings-files")}</a>
            </>
          )}
        </small>
      </span>
      {canRetry && (
        <IconButton
          icon="retry"
          size="s"
          label={t("retry-upload", { name })}
          onClick={() => text.add(uploads?.retry(key) ?? [])}
        />
      )}
      <Remove label={t("upload-dismiss", { name })} run={() => uploads?.cancel(key)} />
    </li>
  );
}

/** After a key press, the focus moves to the next chip or into the text. */
function Remove({ label, run }: { label: string; run: () => void }) {
  return (
    <IconButton
      icon="x"
      size="s"
      label={label}
      onClick={({ currentTarget, detail }) => {
        const chip = currentTarget.closest("li");
        const next = chip?.nextElementSibling ?? chip?.previousElementSibling;
        const field = chip?.closest("form")?.querySelector("textarea");
        if (detail === 0) (next?.querySelector<HTMLElement>("button:last-child") ?? field)?.focus();
        run();
      }}
    />
  );
}

const PICTURE = /\.(?:avif|gif|jpe?g|png|webp)$/i;

interface PictureProps extends Pick<Attachment, "name" | "url"> {
  file: Blob | undefined;
}

/** Shows the file as an image, if the browser can display it. */
function Picture({ name, url, file }: PictureProps) {
  const src = useSignal<string | undefined>(undefined);
  useEffect(() => {
    if (!file?.type.startsWith("image/")) {
      src.value = PICTURE.test(name) ? url : undefined;
      return undefined;
    }
    const objectUrl = URL.createObjectURL(file);
    src.value = objectUrl;
    return () => URL.revokeObjectURL(objectUrl);
  }, [file, url, name]);
  return (
    <span class="thumb" aria-hidden="true">
      {src.value === undefined ? (
        <Icon name="file" size={18} />
      ) : (
        <img src={src.value} alt="" decoding="async" onError={() => (src.value = undefined)} />
      )}
    </span>
  );
}

const MY_FILES: View = { kind: "page", page: "settings", path: ["files"] };
