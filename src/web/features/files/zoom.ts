// The zoom of an image, and its visible part.

export interface Zoom {
  /** 1: fits the available space. */
  scale: number;
  /** Offset of its center from the center of the area, in pixels. */
  x: number;
  y: number;
}

export const UNZOOMED: Zoom = { scale: 1, x: 0, y: 0 };
const SCALE_MAX = 8;
/** Zoom factor of one click, or of one step of the wheel. */
export const STEP = 1.25;

/** Zooms around a point, which is given relative to the center of the area. */
export function zoomBy({ scale, x, y }: Zoom, factor: number, origin = { x: 0, y: 0 }): Zoom {
  const next = Math.max(1, Math.min(SCALE_MAX, scale * factor));
  if (next === 1) return UNZOOMED;
  const ratio = next / scale;
  return {
    scale: next,
    x: origin.x - (origin.x - x) * ratio,
    y: origin.y - (origin.y - y) * ratio,
  };
}

/** Pixels per press of an arrow key. */
const PAN = 80;
/** Arrow keys move towards the hidden part. */
export const PANS: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: PAN, y: 0 },
  ArrowRight: { x: -PAN, y: 0 },
  ArrowUp: { x: 0, y: PAN },
  ArrowDown: { x: 0, y: -PAN },
};

interface ElementSize {
  clientWidth: number;
  clientHeight: number;
}

/** Limits the offset, so that the image covers the area, or is centered if it fits. */
export function clampOffset({ scale, x, y }: Zoom, picture: ElementSize, room: ElementSize): Zoom {
  const bounded = (position: number, size: number, most: number) => {
    const overflow = Math.max(0, (size * scale - most) / 2);
    return Math.max(-overflow, Math.min(overflow, position));
  };
  return {
    scale,
    x: bounded(x, picture.clientWidth, room.clientWidth),
    y: bounded(y, picture.clientHeight, room.clientHeight),
  };
}

/** An image that is not enlarged does not move. */
export function pan(zoom: Zoom, offset: { x: number; y: number }): Zoom {
  return zoom.scale === 1 ? zoom : { ...zoom, x: zoom.x + offset.x, y: zoom.y + offset.y };
}
