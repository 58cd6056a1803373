// Drag and drop of files: anywhere in the window, or on a message being edited.
import { signal } from "@preact/signals";
import type { RefObject } from "preact";
import { Icon } from "../../ui/icon.tsx";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";

type TakeFiles = (files: readonly File[]) => void;
/** A form accepts files dropped on it; undefined accepts files dropped elsewhere. */
type DropTarget = Element | undefined;

const takers = new Map<DropTarget, TakeFiles>();
const hoveredTarget = signal<{ target: DropTarget } | undefined>(undefined);
/** While something is dragged over the page, browsers fire events more often than this. */
const DRAG_END_MS = 400;
let leaveTimer: ReturnType<typeof setTimeout> | undefined;
/** The dragged content is from this page, such as a picture in a message. */
let isOwn = false;

/** Handles files dropped there, or outside of all other targets. Returns a function that stops. */
export function acceptDrops(target: DropTarget, addDropped: TakeFiles): () => void {
  takers.set(target, addDropped);
  return () => {
    if (takers.get(target) !== addDropped) return;
    takers.delete(target);
    hoveredTarget.value = undefined;
  };
}

/** Shows that a dragged file may be dropped. */
export function DropHere({ form }: { form?: RefObject<Element | null> }) {
  if (!hoveredTarget.value || hoveredTarget.value.target !== (form?.current ?? undefined))
    return null;
  return (
    <div class="compose-drop" aria-hidden="true">
      <Icon name="clip" />
      {t("drop-here")}
    </div>
  );
}

/** Behind a dialog, the user would not see where the file goes. */
function targetOf({
  target: element,
  dataTransfer,
}: DragEvent): { target: DropTarget } | undefined {
  if (isOwn || dataTransfer?.types.includes("Files") !== true) return undefined;
  if (document.querySelector("[aria-modal=true]")) return undefined;
  const form = element instanceof Element ? (element.closest("form") ?? undefined) : undefined;
  const target = takers.has(form) ? form : undefined;
  // The composer leaves the page shortly before it ends taking drops.
  if (!target && !document.querySelector(".compose")) return undefined;
  return takers.has(target) ? { target } : undefined;
}

function drag(event: DragEvent): void {
  clearTimeout(leaveTimer);
  const target = targetOf(event);
  const before = hoveredTarget.peek();
  if (target?.target !== before?.target || !target !== !before) hoveredTarget.value = target;
  if (!target) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
}

function drop(event: DragEvent): void {
  const target = targetOf(event);
  leave();
  if (!target) return;
  event.preventDefault();
  const taker = takers.get(target.target);
  if (event.dataTransfer && taker) addDroppedFiles(event.dataTransfer, taker);
}

const leave = () => void (hoveredTarget.value = undefined);

addEventListener("dragenter", drag);
addEventListener("dragover", drag);
addEventListener("drop", drop);
// The pointer left the window, and not only one element for another; Safari reports both in the
// same way.
window.addEventListener("dragleave", ({ relatedTarget }) => {
  if (relatedTarget === null) leaveTimer = setTimeout(leave, DRAG_END_MS);
});
addEventListener("dragstart", () => (isOwn = true));
const end = (): void => {
  isOwn = false;
  if (hoveredTarget.peek()) leave();
};
// Browsers fire no pointer events during a drag, and no `dragend` if the dragged element was
// removed.
for (const type of ["dragend", "pointerdown", "pointermove"]) addEventListener(type, end);

/** A folder cannot be read as a file, so the user gets a message. */
function addDroppedFiles(data: DataTransfer, add: TakeFiles): void {
  const items = [...data.items].filter(({ kind }) => kind === "file");
  const isFolder = items.map((item) => item.webkitGetAsEntry?.()?.isDirectory === true);
  const files = [...data.files].filter((_, index) => isFolder[index] !== true);
  if (isFolder.includes(true)) showToast({ text: t("no-folders"), isAlert: true });
  if (files.length > 0) add(files);
}
