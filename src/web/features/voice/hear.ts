// A voice note is heard where it stands: its link opens what plays it.

/** The addresses of what browsers record. */
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
    player.controls = true;
    player.src = link.href;
    link.after(player);
    player.focus();
  },
  { capture: true },
);
