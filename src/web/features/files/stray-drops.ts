// Handles files dropped outside of drop targets, which the browser would open in place of the page.

function preventNavigation(event: DragEvent): void {
  const { target, dataTransfer, defaultPrevented } = event;
  if (defaultPrevented || dataTransfer?.types.includes("Files") !== true) return;
  if (target instanceof HTMLInputElement && target.type === "file") return;
  event.preventDefault();
  dataTransfer.dropEffect = "none";
}

// The first of these events loads the handler.
for (const kind of ["dragenter", "dragover", "drop"] as const) {
  window.addEventListener(kind, preventNavigation);
}
