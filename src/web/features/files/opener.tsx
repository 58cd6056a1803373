// Opens a file: a picture in full size, others in a tab, a covered one in its message.
import type { ComponentChildren } from "preact";
import { parseUrl } from "../../../text/input/parse-url.ts";
import { addressOf } from "../../address.ts";
import { stillOf } from "../../content/media.ts";
import { keyed } from "../../live.ts";
import { Icon } from "../../ui/icon.tsx";
import { say } from "../../words/words.ts";
import { drawing } from "../conversation/drawing.ts";
import { inContext } from "../conversation/moves.ts";
import { kindOf, type SharedFile } from "./shared.ts";

interface Opened {
  file: SharedFile;
  /** A picture is shown among theirs. */
  among: readonly SharedFile[];
  class: string;
  /** If its content does not name it. */
  label?: string;
  children: ComponentChildren;
}

export function Opener({ file, among, class: name, label, children }: Opened) {
  const { message, path, thumb, cover } = file;
  if (cover !== undefined) {
    return (
      <a
        class={name}
        href={addressOf(inContext(message))}
        aria-label={label}
        title={say("show-in-context")}
      >
        {children}
      </a>
    );
  }
  if (thumb === undefined) {
    return (
      <a class={name} href={path} target="_blank" rel="noopener" aria-label={label}>
        {children}
      </a>
    );
  }
  return (
    <button
      type="button"
      class={name}
      aria-label={label === undefined ? undefined : say("open-picture", { name: label })}
      onClick={({ currentTarget }) => void openPicture(currentTarget, among, file)}
    >
      {children}
    </button>
  );
}

interface Signed {
  file: SharedFile;
  /** There is no room for text. */
  isSmall?: boolean;
}

/** The picture itself; of what is none its kind, and of what is covered nothing. */
export function Sign({ file: { thumb, cover, name }, isSmall = false }: Signed) {
  keyed("setting:web_animate_image_previews");
  if (cover !== undefined) return <Icon name="eyeoff" />;
  if (thumb === undefined) {
    return (
      <>
        <Icon name="file" />
        {!isSmall && <span>{kindOf(name)}</span>}
      </>
    );
  }
  const isStill = drawing.setting("web_animate_image_previews") !== "always";
  return <img src={isStill ? stillOf(thumb) : thumb} alt="" loading="lazy" decoding="async" />;
}

/** Among all the pictures that are shown. */
async function openPicture(
  node: HTMLElement,
  files: readonly SharedFile[],
  chosen: SharedFile,
): Promise<void> {
  const { openLightbox } = await import("./lightbox.tsx");
  const pictures = files.filter(({ thumb, cover }) => thumb !== undefined && cover === undefined);
  openLightbox(
    pictures.map(({ path, name, thumb, message }) => ({
      node,
      thumb: thumb!,
      full: path,
      link: parseUrl(path, document.baseURI)?.href ?? path,
      name,
      message_id: message.id,
    })),
    pictures.indexOf(chosen),
  );
}
