// The lightbox: shows images in full size one after the other, with zoom.
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { go } from "../../store/address.ts";
import { getState } from "../../store/store.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { IconButton } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy.ts";
import { trapFocus } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { itemAt } from "../../content/item-at.ts";
import { formatMoment } from "../../words/dates.ts";
import { t, type TextKey } from "../../words/words.ts";
import { contentContext } from "../conversation/reading-selectors.ts";
import { viewAtMessage } from "../conversation/move-actions.ts";
import { listenForGestures } from "./gestures.ts";
import type { Picture } from "./pictures.ts";
import { likelyReason, onReachable, loadFailureReason } from "./image-errors.ts";
import { pan, PANS, STEP, UNZOOMED, clampOffset, zoomBy, type Zoom } from "./zoom.ts";

type Change = (next: (zoom: Zoom) => Zoom) => void;

const ID = "lightbox";
/** Thumbnails at the bottom, around the current image. */
const THUMBNAILS_MAX = 11;

export function showLightbox(pictures: readonly Picture[], index: number): void {
  openLayer(ID, <Lightbox pictures={pictures} first={index} />);
}

function Lightbox({ pictures, first }: { pictures: readonly Picture[]; first: number }) {
  const currentIndex = useSignal(first);
  const zoom = useSignal<Zoom>(UNZOOMED);
  const node = useRef<HTMLDivElement>(null);
  const picture = itemAt(pictures, currentIndex.value);
  const show = (index: number) => {
    if (!pictures[index]) return;
    currentIndex.value = index;
    zoom.value = UNZOOMED;
  };
  const step = (delta: number) => show(currentIndex.value + (isMirrored() ? -delta : delta));
  const change = (next: (zoom: Zoom) => Zoom) => {
    const image = node.current?.querySelector<HTMLElement>("figure img");
    const changed = next(zoom.value);
    zoom.value = image?.parentElement ? clampOffset(changed, image, image.parentElement) : changed;
  };
  const scale = (delta: number) => change((before) => zoomBy(before, delta));
  useLayoutEffect(() => node.current?.focus(), []);
  return (
    <div
      class="lightbox"
      role="dialog"
      aria-modal="true"
      aria-label={picture.name}
      tabIndex={-1}
      ref={node}
      onKeyDown={(event) => onKey(event, event.currentTarget, keysFor(zoom.value, change, step))}
    >
      <header>
        <About picture={picture} index={currentIndex.value} count={pictures.length} />
        <LightboxActions picture={picture} scale={scale} />
      </header>
      <ImageStage key={picture.full} picture={picture} zoom={zoom} change={change} step={step} />
      {currentIndex.value > 0 && (
        <IconButton
          icon="left"
          label={t("previous")}
          class="icon-btn prev"
          onClick={() => show(currentIndex.value - 1)}
        />
      )}
      {currentIndex.value < pictures.length - 1 && (
        <IconButton
          icon="right"
          label={t("next")}
          class="icon-btn next"
          onClick={() => show(currentIndex.value + 1)}
        />
      )}
      {pictures.length > 1 && (
        <ThumbnailStrip pictures={pictures} index={currentIndex.value} show={show} />
      )}
    </div>
  );
}

/** In an enlarged picture, arrow keys move the visible part. */
function keysFor(
  zoom: Zoom,
  change: Change,
  step: (delta: number) => void,
): Record<string, () => void> {
  const scale = (delta: number) => change((before) => zoomBy(before, delta));
  const moves = Object.entries(PANS).map(([key, offset]) => [
    key,
    () => change((before) => pan(before, offset)),
  ]);
  return {
    ...(zoom.scale > 1
      ? Object.fromEntries(moves)
      : { ArrowRight: () => step(1), ArrowLeft: () => step(-1) }),
    "0": () => change(() => UNZOOMED),
    "+": () => scale(STEP),
    "=": () => scale(STEP),
    "-": () => scale(1 / STEP),
    v: () => closeLayer(ID),
  };
}

function onKey(
  event: KeyboardEvent,
  within: HTMLElement,
  keys: Readonly<Record<string, () => void>>,
): void {
  if (event.key === "Tab") trapFocus(event, within);
  const run = event.ctrlKey || event.metaKey ? undefined : keys[event.key];
  if (!run) return;
  event.preventDefault();
  run();
}

/** In right-to-left layouts, the next picture is on the left. */
const isMirrored = () => document.documentElement.dir === "rtl";

interface AboutProps {
  picture: Picture;
  index: number;
  count: number;
}

function About({ picture: { name, message_id }, index, count }: AboutProps) {
  const message = message_id === undefined ? undefined : getState().messages.byId.get(message_id);
  const sender = message && contentContext.senderOf(message);
  return (
    <>
      {sender && <Avatar person={sender} size={32} />}
      <div>
        <b>
          <bdi>{name}</bdi>
        </b>
        <small>
          {sender && (
            <>
              <bdi>{sender.full_name}</bdi>, {formatMoment(message.timestamp)}
            </>
          )}
          {sender && count > 1 && " · "}
          <span role="status">{count > 1 && t("picture-of", { at: index + 1, count })}</span>
        </small>
      </div>
    </>
  );
}

function LightboxActions({ picture, scale }: { picture: Picture; scale: (delta: number) => void }) {
  const message =
    picture.message_id === undefined ? undefined : getState().messages.byId.get(picture.message_id);
  const leave = () => {
    closeLayer(ID);
    if (message) go(viewAtMessage(message));
  };
  return (
    <div class="acts">
      <IconButton icon="zoomout" label={t("smaller")} onClick={() => scale(1 / STEP)} />
      <IconButton icon="zoomin" label={t("larger")} onClick={() => scale(STEP)} />
      <IconButton
        icon="link"
        label={t("copy-link")}
        onClick={() => copyText(picture.link, t("link-copied"))}
      />
      <a
        class="icon-btn"
        href={picture.full}
        download=""
        aria-label={t("download")}
        title={t("download")}
      >
        <Icon name="download" />
      </a>
      {message && <IconButton icon="forward" label={t("show-in-context")} onClick={leave} />}
      <IconButton icon="x" label={t("close")} onClick={() => closeLayer(ID)} />
    </div>
  );
}

interface ImageStageProps {
  picture: Picture;
  zoom: { value: Zoom };
  change: Change;
  step: (delta: number) => void;
}

/** Swipes change the image, a tap zooms in, and a tap beside the image closes it. */
function ImageStage({ picture, zoom, change, step }: ImageStageProps) {
  const error = useSignal<TextKey | undefined>(undefined);
  const fail = async () => {
    error.value = likelyReason();
    const word = await loadFailureReason(picture.full);
    // The image may have loaded meanwhile.
    if (error.value) error.value = word;
  };
  useEffect(() => onReachable(() => (error.value = undefined)), []);
  const room = useRef<HTMLElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const { scale, x, y } = zoom.value;
  const latestHandlers = useRef({ change, step });
  latestHandlers.current = { change, step };
  // Runs before the first paint, because a finger may already touch the screen.
  useLayoutEffect(() => {
    const close = () => closeLayer(ID);
    const isWhole = () => zoom.value.scale === 1;
    if (!room.current) return undefined;
    return listenForGestures(room.current, {
      change: (next) => latestHandlers.current.change(next),
      onSwipe: (delta) => isWhole() && latestHandlers.current.step(delta),
      away: () => isWhole() && close(),
      onLeave: close,
    });
  }, []);
  useLayoutEffect(() => {
    image.current?.style.setProperty("transform", `translate(${x}px, ${y}px) scale(${scale})`);
  }, [scale, x, y]);
  return (
    <figure ref={room} data-zoomed={scale > 1 ? "" : undefined}>
      {error.value ? (
        <figcaption>{t(error.value)}</figcaption>
      ) : (
        <img
          ref={image}
          src={picture.full}
          alt={picture.name}
          draggable={false}
          onError={() => void fail()}
        />
      )}
    </figure>
  );
}

interface StripProps {
  pictures: readonly Picture[];
  index: number;
  show: (index: number) => void;
}

function ThumbnailStrip({ pictures, index, show }: StripProps) {
  const from = Math.max(
    0,
    Math.min(index - (THUMBNAILS_MAX >> 1), pictures.length - THUMBNAILS_MAX),
  );
  const thumbs = useRef<HTMLDivElement>(null);
  // Phones have no room for all buttons.
  useLayoutEffect(() => {
    const currentThumb = thumbs.current?.querySelector("[aria-current=true]");
    currentThumb?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [index]);
  return (
    <div class="lightbox-thumbs" ref={thumbs}>
      {pictures.slice(from, from + THUMBNAILS_MAX).map(({ thumb }, offset) => (
        <button
          key={from + offset}
          type="button"
          aria-label={t("picture-of", { at: from + offset + 1, count: pictures.length })}
          aria-current={from + offset === index}
          onClick={() => show(from + offset)}
        >
          <img src={thumb} alt="" />
        </button>
      ))}
    </div>
  );
}
