// Shows a message in place of videos and audio that the browser cannot play, and of missing images.
import { element, icon } from "../../content/node.ts";
import { t } from "../../words/words.ts";
import { likelyReason, onReachable, loadFailureReason } from "./image-errors.ts";

const PLAYERS = ".md audio, .md video";

function giveUp(node: EventTarget | null): void {
  if (!(node instanceof HTMLMediaElement) || !node.matches(PLAYERS) || node.hidden) return;
  node.hidden = true;
  const name = node.title || (node.getAttribute("aria-label") ?? "");
  const words = element("span", "", element("small", "", t("cannot-play")));
  if (name !== "") words.prepend(element("b", "", element("bdi", "", name)));
  const card = element("a", "card", element("span", "ext", icon("download")), words);
  card.href = node.src;
  card.download = "";
  node.after(card);
}

const PICTURES = '.md [data-act="lightbox"] img, .md img[data-act="lightbox"]';
/** Images that show an error, each with a function that restores it. */
const broken = new Map<HTMLImageElement, () => void>();

/** Replaces media that cannot be displayed, because an empty gray box explains nothing. */
function replaceBrokenMedia(node: EventTarget | null): void {
  if (!(node instanceof HTMLImageElement) || !node.matches(PICTURES) || node.hidden) return;
  node.hidden = true;
  const explanation = element("small", "", t(likelyReason()));
  void loadFailureReason(node.src).then((word) => (explanation.textContent = t(word)));
  const words = element("span", "", explanation);
  if (node.alt !== "") words.prepend(element("b", "", element("bdi", "", node.alt)));
  const card = element("span", "card", element("span", "ext", icon("image")), words);
  node.after(card);
  for (const image of broken.keys()) if (!image.isConnected) broken.delete(image);
  // The explanation names the button while it is displayed, so the label is removed.
  const button = node.closest("button");
  const label = button?.getAttribute("aria-label") ?? "";
  button?.removeAttribute("aria-label");
  broken.set(node, () => {
    card.remove();
    button?.setAttribute("aria-label", label);
    node.hidden = false;
    // Loads the image again.
    node.setAttribute("src", node.src);
  });
}

/**
 * The server sends a small gray image for images that it cannot show; others may have the same
 * size.
 */
const GREY_PIXELS = 64;
const FORBIDDEN = 403;
const MISSING = 404;

/** Handles a loaded placeholder image like one that failed to load. */
async function inspect(node: EventTarget | null): Promise<void> {
  if (!(node instanceof HTMLImageElement)) return;
  if (!node.matches(PICTURES) && !node.matches(".lightbox figure img")) return;
  const { naturalWidth, naturalHeight, src } = node;
  if (naturalWidth !== GREY_PIXELS || naturalHeight !== GREY_PIXELS) return;
  const response = await fetch(src, { method: "HEAD" }).catch(() => undefined);
  const isGone = response?.status === FORBIDDEN || response?.status === MISSING;
  if (isGone) node.dispatchEvent(new Event("error"));
}

onReachable(() => {
  const all = [...broken.values()];
  broken.clear();
  for (const retry of all) retry();
});

// The event does not bubble and may precede this script.
document.addEventListener(
  "error",
  ({ target }) => {
    giveUp(target);
    replaceBrokenMedia(target);
  },
  { capture: true },
);
document.addEventListener("load", ({ target }) => void inspect(target), { capture: true });
for (const node of document.querySelectorAll<HTMLMediaElement>(PLAYERS))
  if (node.error) giveUp(node);
for (const node of document.querySelectorAll<HTMLImageElement>(PICTURES))
  if (node.complete && node.hasAttribute("src"))
    if (node.naturalWidth === 0) replaceBrokenMedia(node);
    else void inspect(node);
