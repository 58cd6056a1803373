// Files that are on their way, and the whole window as the place to drop them.
import { showToast } from "../../ui/toast.tsx";
import { signal } from "@preact/signals";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { say } from "../../words/words.ts";
import { shelf } from "../compose/desk.ts";

const isOver = signal(false);

export function UploadList() {
  const all = [...(shelf.value?.uploads.all.value.values() ?? [])];
  return (
    <>
      {isOver.value && (
        <div class="compose-drop" aria-hidden="true">
          <Icon name="clip" />
          {say("drop-here")}
        </div>
      )}
      {all.length > 0 && (
        <ul class="compose-uploads" aria-label={say("uploads")}>
          {all.map(({ key, name, size, sent, words }) => (
            <li key={key} data-refused={words === undefined ? undefined : ""}>
              <Icon name={words === undefined ? "file" : "alert"} size={16} />
              <bdi>{name}</bdi>
              {words === undefined ? (
                <progress max={Math.max(1, size)} value={sent} aria-label={name} />
              ) : (
                <span role="alert">{words}</span>
              )}
              <IconButton
                icon="x"
                size="xs"
                label={say("cancel-upload", { name })}
                onClick={() => shelf.peek()?.uploads.cancel(key)}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;

/** Takes files that are dropped; gives what ends that. */
export function watchDrops(add: (files: readonly File[]) => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const over = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    isOver.value = true;
  };
  window.addEventListener("dragenter", over, { signal });
  window.addEventListener("dragover", over, { signal });
  window.addEventListener(
    "dragleave",
    (event) => {
      // Out of the window, not from one part of it to the next.
      if (event.relatedTarget === null) isOver.value = false;
    },
    { signal },
  );
  window.addEventListener(
    "drop",
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = false;
      void filesOf(event.dataTransfer!, add);
    },
    { signal },
  );
  return () => stop.abort();
}

/** A folder is not a file: it cannot be read, and the person is told. */
async function filesOf(data: DataTransfer, add: (files: readonly File[]) => void): Promise<void> {
  const items = [...data.items].filter(({ kind }) => kind === "file");
  const isFolder = items.map((item) => item.webkitGetAsEntry?.()?.isDirectory === true);
  const files = [...data.files].filter((_, at) => isFolder[at] !== true);
  if (isFolder.includes(true)) showToast({ words: say("no-folders"), isAlert: true });
  if (files.length > 0) add(files);
}
