// Uploads an avatar after cropping it to a square in the browser.
import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { sendWithFile } from "../../../api/files.ts";
import { type Params } from "../../../api/http.ts";
import { ApiError } from "../../../contract/api-error.ts";
import { csrfToken } from "../../../api/session.ts";
import { getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { openLayer, useCloseLayer } from "../../../ui/layers.ts";
import { tooLarge } from "../../../words/numbers.ts";
import { t, type TextKey } from "../../../words/words.ts";
import { Refusal, useSending } from "../../../ui/form/form.tsx";

const ID = "crop";
const PIXELS = 500;
const ZOOM_MAX = 4;

/** Sends the request only for the user of this page, even if another user has signed in since. */
export function sendFile<T>(
  method: "POST" | "PATCH",
  path: string,
  params: Params,
  file?: Blob,
): Promise<T> {
  const most = Number(getState().organization.fields["max_avatar_file_size_mib"] ?? 0);
  const text = tooLarge(file?.size ?? 0, most);
  if (text) return Promise.reject(new ApiError(0, "", text, {}));
  const requestContext = { user_id: () => getState().people.me, csrf: csrfToken };
  return sendWithFile(requestContext, method, path, params, file);
}

interface PictureButtonProps {
  text: string;
  /** Label for screen readers, if the text does not say whose picture it is. */
  label?: string | undefined;
  choose: (file: File) => void;
}

/** Opens the file dialog for an image. */
export function PictureButton({ text, label, choose }: PictureButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = "";
          if (file) choose(file);
        }}
      />
      <Button icon="image" aria-label={label} onClick={() => input.current?.click()}>
        {text}
      </Button>
    </>
  );
}

interface OwnPictureProps {
  label: string;
  text: string;
  send: (picture: Blob) => Promise<unknown>;
}

/** Opens the file dialog for an image to crop. */
export function OwnPicture({ label, text, send }: OwnPictureProps) {
  const choose = (file: File) => openLayer(ID, <Crop file={file} send={send} />);
  return <PictureButton label={label} text={text} choose={choose} />;
}

/** The square of an image, chosen with sliders or by dragging on the canvas. */
function useCropSquare(canvas: RefObject<HTMLCanvasElement | null>) {
  const picture = useSignal<ImageBitmap | undefined>(undefined);
  const [zoom, across, down] = [useSignal(1), useSignal(0.5), useSignal(0.5)];
  const sideLength = () => {
    const { width = 0, height = 0 } = picture.value ?? {};
    return Math.min(width, height) / zoom.value;
  };
  useEffect(() => {
    const { value: bitmap } = picture;
    const context = canvas.current?.getContext("2d");
    if (!bitmap || !context) return;
    const x = (bitmap.width - sideLength()) * across.value;
    const y = (bitmap.height - sideLength()) * down.value;
    context.clearRect(0, 0, PIXELS, PIXELS);
    context.drawImage(bitmap, x, y, sideLength(), sideLength(), 0, 0, PIXELS, PIXELS);
  }, [picture.value, zoom.value, across.value, down.value]);
  const from = useRef({ x: 0, y: 0 });
  const startDrag = ({ clientX: x, clientY: y }: PointerEvent) => (from.current = { x, y });
  const dragImage = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const { value: bitmap } = picture;
    if (!bitmap || event.buttons === 0) return;
    const { x, y } = from.current;
    const step = sideLength() / event.currentTarget.clientWidth;
    const move = (position: Signal<number>, delta: number, size: number) => {
      if (size > sideLength())
        position.value = clamp(position.value - (delta * step) / (size - sideLength()));
    };
    // Safari does not report `movementX` for touch.
    move(across, event.clientX - x, bitmap.width);
    move(down, event.clientY - y, bitmap.height);
    startDrag(event);
  };
  return { picture, zoom, across, down, hold: startDrag, pull: dragImage };
}

/** Decodes the file; a result that arrives after the dialog was closed is ignored. */
function useDecoded(
  file: Blob,
  picture: Signal<ImageBitmap | undefined>,
  onUndecodable: () => void,
): void {
  // A layout effect, because other effects are cleaned up only after the next frame.
  useLayoutEffect(() => {
    let isClosed = false;
    createImageBitmap(file).then(
      (bitmap) => {
        if (isClosed) bitmap.close();
        else picture.value = bitmap;
      },
      () => isClosed || onUndecodable(),
    );
    return () => {
      isClosed = true;
      // The decoded pixels use memory until they are released.
      picture.peek()?.close();
      picture.value = undefined;
    };
  }, [file]);
}

const clamp = (fraction: number) => Math.min(1, Math.max(0, fraction));

function Crop({ file, send: sendPicture }: { file: Blob; send: OwnPictureProps["send"] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { picture, zoom, across, down, hold, pull } = useCropSquare(canvas);
  const { refusal, isBusy, send } = useSending();
  const close = useCloseLayer(ID);
  // If this browser cannot decode the picture, it is uploaded unchanged.
  useDecoded(file, picture, () => void send(() => sendPicture(file).then(close)));
  const use = () =>
    send(async () => {
      const blob = await new Promise<Blob | null>((done) =>
        canvas.current ? canvas.current.toBlob(done) : done(null),
      );
      await sendPicture(blob ?? file);
      close();
    });
  const isShown = picture.value !== undefined || refusal.value === "";
  return (
    <Dialog
      id={ID}
      title={t("settings-picture-crop")}
      onSubmit={() => void use()}
      foot={
        <Button kind="primary" type="submit" disabled={isBusy.value || !picture.value}>
          {t("settings-picture-use")}
        </Button>
      }
    >
      {isShown && (
        <>
          <canvas
            ref={canvas}
            class="settings-crop"
            width={PIXELS}
            height={PIXELS}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              hold(event);
            }}
            onPointerMove={pull}
          />
          <Slider textKey="settings-picture-zoom" value={zoom} min={1} max={ZOOM_MAX} />
          <Slider textKey="settings-picture-horizontal" value={across} />
          <Slider textKey="settings-picture-vertical" value={down} />
        </>
      )}
      <Refusal text={refusal.value} />
    </Dialog>
  );
}

interface SliderProps {
  textKey: TextKey;
  value: Signal<number>;
  min?: number;
  max?: number;
}

function Slider({ textKey, value, min = 0, max = 1 }: SliderProps) {
  return (
    <label class="settings-slider">
      {t(textKey)}
      <input
        type="range"
        min={min}
        max={max}
        step={0.01}
        value={value.value}
        onInput={({ currentTarget }) => (value.value = Number(currentTarget.value))}
      />
    </label>
  );
}
