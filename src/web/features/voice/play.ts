// Plays voice messages in place: their links open a player.

/** URLs of recordings in browser formats. */
const VOICE = /^\/user_uploads\/[^?#]+\.(weba|m4a|oga)$/;

document.addEventListener(
  "click",
  (event) => {
    const link =
      event.target instanceof Element && event.target.closest<HTMLAnchorElement>(".md a");
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
    if (!link || !isPlain || !VOICE.test(link.getAttribute("href") ?? "")) return;
    event.preventDefault();
    event.stopPropagation();
    if (link.nextElementSibling instanceof HTMLAudioElement) return;
    const player = document.createElement("audio");
    player.className = "voice-player";
    player.controls = true;
    // A label, since there may be several players.
    player.setAttribute("aria-label", link.textContent);
    loadDuration(player);
    player.src = link.href;
    link.after(player);
    resumePlaying(player, link.getAttribute("href") ?? "");
    player.focus();
    // If autoplay is blocked, the user presses once more.
    player.play().catch(() => undefined);
  },
  { capture: true },
);

/** The row is rendered again when it is read or reacted to; playback continues in the new one. */
function resumePlaying(player: HTMLAudioElement, href: string): void {
  const row = player.closest("article")?.id ?? "";
  const feed = player.closest(".feed");
  if (!feed || row === "") return;
  let isFocused = false;
  player.addEventListener("focus", () => (isFocused = true));
  // Removing the player from the page also causes these events.
  const recordFocus = () => (isFocused = !player.isConnected || player.matches(":focus"));
  player.addEventListener("blur", () => queueMicrotask(recordFocus));
  const watch = new MutationObserver(() => {
    if (player.isConnected) return;
    const had = document.getElementById(row)?.querySelectorAll<HTMLAnchorElement>(".md a") ?? [];
    const link = [...had].find((candidate) => candidate.getAttribute("href") === href);
    // If it cannot be played, the link is shown again.
    if (!link || player.hidden) return watch.disconnect();
    link.after(player);
    if (isFocused) player.focus({ preventScroll: true });
  });
  watch.observe(feed, { childList: true, subtree: true });
}

/** Recordings do not contain their duration, which browsers find at the end of the file. */
function loadDuration(player: HTMLAudioElement): void {
  const onDurationKnown = () => {
    if (player.duration === Infinity) return;
    player.removeEventListener("durationchange", onDurationKnown);
    player.currentTime = 0;
  };
  player.addEventListener(
    "loadedmetadata",
    () => {
      if (player.duration !== Infinity) return;
      player.addEventListener("durationchange", onDurationKnown);
      player.currentTime = Number.MAX_SAFE_INTEGER;
    },
    { once: true },
  );
}
