// A sign of the sprite.

declare const SKEIN_ICONS: string;

/** Names of the sprite's symbols, without their `i-`. */
export type IconName =
  | "alert"
  | "at"
  | "bell"
  | "bell-off"
  | "bold"
  | "bot"
  | "calendar"
  | "check"
  | "clip"
  | "mic"
  | "clock"
  | "code"
  | "codeblock"
  | "copy"
  | "device"
  | "dots"
  | "down"
  | "download"
  | "eyeoff"
  | "file"
  | "folder"
  | "follow"
  | "forward"
  | "globe"
  | "hash"
  | "help"
  | "image"
  | "inbox"
  | "invite"
  | "italic"
  | "key"
  | "layers"
  | "left"
  | "link"
  | "list"
  | "lock"
  | "logout"
  | "mail"
  | "menu"
  | "move"
  | "mute"
  | "offline"
  | "org"
  | "palette"
  | "panel"
  | "pencil"
  | "people"
  | "person"
  | "phone"
  | "pin"
  | "plus"
  | "poll"
  | "qr"
  | "quote"
  | "reply"
  | "resolve"
  | "retry"
  | "right"
  | "search"
  | "seen"
  | "send"
  | "settings"
  | "shield"
  | "sliders"
  | "smile"
  | "star"
  | "star-full"
  | "strike"
  | "timer"
  | "trash"
  | "up"
  | "video"
  | "word"
  | "x"
  | "zoomin"
  | "zoomout";

/** Drawn at 20 pixels, shown at 18 in rows and tools, at 16 inside fields. */
export function Icon({
  name,
  size = 20,
  of = "",
}: {
  name: IconName;
  size?: 16 | 18 | 20;
  of?: string;
}) {
  const sized = size === 20 ? "i" : `i i-${size}`;
  return (
    <svg class={of === "" ? sized : `${sized} ${of}`} aria-hidden="true">
      <use href={`${SKEIN_ICONS}#i-${name}`} />
    </svg>
  );
}
