// Plays animated images while they are hovered or focused, if the setting says so.
import { maybeState } from "../../store/store.ts";

for (const kind of ["pointerover", "focusin"] as const) {
  document.addEventListener(kind, (event) => {
    if (maybeState()?.settings.settings["web_animate_image_previews"] === "never") return;
    // Touch has no hovering; a tap opens the image, which plays there.
    if (event instanceof PointerEvent && event.pointerType === "touch") return;
    const picture = pictureAt(event.target);
    const isByKeys = kind === "pointerover" || picture?.closest(":focus-visible");
    if (picture && isByKeys && !("plays" in picture.dataset)) play(picture);
  });
}

/** Stops when the pointer and the focus leave it. */
function play(picture: HTMLImageElement): void {
  const still = picture.src;
  const { moving = still } = picture.dataset;
  const button = picture.closest("button") ?? picture;
  const abortController = new AbortController();
  const { signal } = abortController;
  const leave = (pseudoClass: ":focus-visible" | ":hover") => () => {
    if (button.matches(pseudoClass)) return;
    abortController.abort();
    delete picture.dataset["plays"];
    picture.src = still;
  };
  picture.dataset["plays"] = "";
  picture.src = moving;
  button.addEventListener("pointerleave", leave(":focus-visible"), { signal });
  button.addEventListener("blur", leave(":hover"), { signal });
}

function pictureAt(target: EventTarget | null): HTMLImageElement | undefined {
  const node = target instanceof Element && target.closest('[data-act="lightbox"]');
  const picture = node instanceof HTMLImageElement ? node : node && node.querySelector("img");
  return picture && "moving" in picture.dataset ? picture : undefined;
}
