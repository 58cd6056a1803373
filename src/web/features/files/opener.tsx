// Opens a file: images in the lightbox, others in a preview or a tab, spoilers in their message.
import type { ComponentChildren } from "preact";
import { parseUrl } from "../../../text/input/parse-url.ts";
import { addressOf } from "../../store/address.ts";
import { stillThumbnail } from "../../content/media.ts";
import { subscribe } from "../../store/store.ts";
import { Icon } from "../../ui/icon.tsx";
import { t } from "../../words/words.ts";
import { contentContext } from "../conversation/reading-selectors.ts";
import { viewAtMessage } from "../conversation/move-actions.ts";
import { openPreviewOf } from "./cards/open-preview.ts";
import { openLightbox } from "./open-lightbox.tsx";
import { kindOf, type MessageFile } from "./message-files.ts";

interface OpenerProps {
  file: MessageFile;
  /** The images between which the lightbox switches. */
  siblings: readonly MessageFile[];
  class: string;
  /** The label, if the content has no text. */
  label?: string;
  children: ComponentChildren;
}

export function FileOpener({ file, siblings, class: name, label, children }: OpenerProps) {
  const { message, path, thumb, cover, name: fileName } = file;
  if (cover !== undefined) {
    return (
      <a
        class={name}
        href={addressOf(viewAtMessage(message))}
        aria-label={label}
        title={t("show-in-context")}
      >
        {children}
      </a>
    );
  }
  if (thumb === undefined) {
    return (
      <a
        class={name}
        href={path}
        target="_blank"
        rel="noopener"
        aria-label={label}
        onClick={(event) => {
          if (isPlain(event) && openPreviewOf(path, fileName)) event.preventDefault();
        }}
      >
        {children}
      </a>
    );
  }
  return (
    <button
      type="button"
      class={name}
      aria-label={label === undefined ? undefined : t("open-picture", { name: label })}
      onClick={({ currentTarget }) => openPicture(currentTarget, siblings, file)}
    >
      {children}
    </button>
  );
}

/** With a modifier key, the link opens as the browser decides. */
const isPlain = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  !ctrlKey && !metaKey && !shiftKey && !altKey;

interface SignProps {
  file: MessageFile;
  /** There is no room for text. */
  isSmall?: boolean;
}

/** A thumbnail for images, the file type for others, and nothing for files in spoilers. */
export function FileIcon({ file: { thumb, cover, name }, isSmall = false }: SignProps) {
  subscribe("setting:web_animate_image_previews");
  if (cover !== undefined) return <Icon name="eyeoff" />;
  if (thumb === undefined) {
    return (
      <>
        <Icon name="file" />
        {!isSmall && <span>{kindOf(name)}</span>}
      </>
    );
  }
  const isStill = contentContext.setting("web_animate_image_previews") !== "always";
  return (
    <img src={isStill ? stillThumbnail(thumb) : thumb} alt="" loading="lazy" decoding="async" />
  );
}

/** Opens the lightbox with all displayed images. */
function openPicture(
  node: HTMLElement,
  files: readonly MessageFile[],
  selectedFile: MessageFile,
): void {
  const pictures = files.filter(({ thumb, cover }) => thumb !== undefined && cover === undefined);
  void openLightbox(
    pictures.map(({ path, name, thumb, message }) => ({
      node,
      thumb: thumb!,
      full: path,
      link: parseUrl(path, document.baseURI)?.href ?? path,
      name,
      message_id: message.id,
    })),
    pictures.indexOf(selectedFile),
  );
}
