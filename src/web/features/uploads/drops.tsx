// Files that are dropped: the whole window is the place, and a message that is changed its own.
import { signal } from "@preact/signals";
import type { RefObject } from "preact";
import { Icon } from "../../ui/icon.tsx";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";

type Take = (files: readonly File[]) => void;
/** A form takes what is dropped on it; nobody, what is dropped beside. */
type Where = Element | undefined;

const takers = new Map<Where, Take>();
const over = signal<{ where: Where } | undefined>(undefined);
/** While something is dragged over the page, browsers fire events more often than this. */
const OVER_MS = 400;
let leaving: ReturnType<typeof setTimeout> | undefined;
/** The dragged content is from this page, such as a picture in a message. */
let isOwn = false;

/** Takes files that are dropped there, or beside all others; gives what ends that. */
export function takeDrops(where: Where, take: Take): () => void {
  takers.set(where, take);
  return () => {
    if (takers.get(where) !== take) return;
    takers.delete(where);
    over.value = undefined;
  };
}

/** Says, while a file is over it, that it may be dropped. */
export function DropHere({ form }: { form?: RefObject<Element | null> }) {
  if (!over.value || over.value.where !== (form?.current ?? undefined)) return null;
  return (
    <div class="compose-drop" aria-hidden="true">
      <Icon name="clip" />
      {say("drop-here")}
    </div>
  );
}

/** Below a dialog nobody sees where a file goes. */
function whereOf({ target, dataTransfer }: DragEvent): { where: Where } | undefined {
  if (isOwn || dataTransfer?.types.includes("Files") !== true) return undefined;
  if (document.querySelector("[aria-modal=true]")) return undefined;
  const form = target instanceof Element ? (target.closest("form") ?? undefined) : undefined;
  const where = takers.has(form) ? form : undefined;
  return takers.has(where) ? { where } : undefined;
}

function drag(event: DragEvent): void {
  clearTimeout(leaving);
  const found = whereOf(event);
  const before = over.peek();
  if (found?.where !== before?.where || !found !== !before) over.value = found;
  if (!found) return;
  event.preventDefault();
  event.dataTransfer!.dropEffect = "copy";
}

function drop(event: DragEvent): void {
  const found = whereOf(event);
  leave();
  if (!found) return;
  event.preventDefault();
  take(event.dataTransfer!, takers.get(found.where)!);
}

const leave = () => void (over.value = undefined);

addEventListener("dragenter", drag);
addEventListener("dragover", drag);
addEventListener("drop", drop);
// Out of the window, not from one part of it to the next; of both, Safari says the same.
window.addEventListener("dragleave", ({ relatedTarget }) => {
  if (relatedTarget === null) leaving = setTimeout(leave, OVER_MS);
});
addEventListener("dragstart", () => (isOwn = true));
const end = (): void => {
  isOwn = false;
  if (over.peek()) leave();
};
// None of the pointer's come during a drag. What was drawn anew meanwhile tells of no end.
for (const type of ["dragend", "pointerdown", "pointermove"]) addEventListener(type, end);

/** A folder is not a file: it cannot be read, and the person is told. */
function take(data: DataTransfer, add: Take): void {
  const items = [...data.items].filter(({ kind }) => kind === "file");
  const isFolder = items.map((item) => item.webkitGetAsEntry?.()?.isDirectory === true);
  const files = [...data.files].filter((_, at) => isFolder[at] !== true);
  if (isFolder.includes(true)) showToast({ words: say("no-folders"), isAlert: true });
  if (files.length > 0) add(files);
}
