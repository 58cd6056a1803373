// A user's avatar: the uploaded image, or threads in the hue of the id with initials.
import { Icon } from "./icon.tsx";

/** Degrees of hue; consecutive ones differ strongly. */
const HUES = [178, 48, 300, 248, 140, 20, 85, 215, 350, 110, 272, 65];
const PATTERNS = [
  "M-4 10C8 2 14 34 40 22M-4 30C10 38 20 4 42 8",
  "M-4 6C10 10 8 30 40 40M10 -4C12 14 26 20 42 16",
  "M4 -4C6 16 34 16 32 44M-4 28C8 24 20 40 22 44",
  "M-4 22C6 8 26 8 22 20S8 32 -4 34M42 6C32 6 30 20 42 26",
  "M-4 14C12 20 24 -4 42 4M-4 26C14 34 26 12 42 20M-4 38C16 46 28 26 42 34",
  "M20 -4C2 8 38 26 16 44M36 -4C24 10 46 28 34 44",
];
/** Smaller avatars have no room for letters. */
const INITIALS_FROM_PIXELS = 24;
const GENERATED_AVATARS = "/user_avatars/generated/";

export type AvatarSize = 20 | 24 | 28 | 32 | 36 | 40 | 56 | 72;
interface AvatarPerson {
  user_id: number;
  full_name: string;
  avatar_url?: string | null;
  is_bot?: boolean;
}

export function Avatar({ person, size = 36 }: { person: AvatarPerson; size?: AvatarSize }) {
  const { user_id, full_name, avatar_url, is_bot } = person;
  const marks = { "data-size": size, "data-bot": is_bot ? "" : undefined };
  if (avatar_url && !isGenerated(avatar_url)) {
    return (
      <span class="av" aria-hidden="true" {...marks}>
        <img src={avatar_url} alt="" width={size} height={size} loading="lazy" decoding="async" />
      </span>
    );
  }
  return (
    <span class="av" aria-hidden="true" {...marks} ref={(node) => setHue(node, user_id)}>
      <svg viewBox="0 0 36 36">
        <path d={patternOf(user_id)} />
      </svg>
      {size >= INITIALS_FROM_PIXELS &&
        (is_bot ? <Icon name="bot" size={18} /> : <span>{initialsOf(full_name)}</span>)}
    </span>
  );
}

/** Set by script, because the page's policy forbids style attributes. */
export function setHue(node: HTMLElement | null, user_id: number): void {
  node?.style.setProperty("--h", `${HUES[user_id % HUES.length]}`);
}

export const patternOf = (user_id: number): string => PATTERNS[user_id % PATTERNS.length]!;

/** The server's generated avatar, which the client draws itself instead. */
export const isGenerated = (avatar_url: string): boolean => avatar_url.includes(GENERATED_AVATARS);

/** The initials of the first and the last word. */
export function initialsOf(full_name: string): string {
  const words = full_name.trim().split(/\s+/u);
  const characters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return characters
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toLocaleUpperCase();
}
