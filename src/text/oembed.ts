// Recognizes videos on sites with oEmbed, and reads their metadata.
import { cleanImage, type LinkedPage, shortTitle } from "./linked-page.ts";

interface Video {
  site: "YouTube" | "Vimeo";
  id: string;
}

const YOUTUBE = new RegExp(
  String.raw`^https?://(?:youtu\.be/|(?:www\.|m\.)?youtube(?:-nocookie)?\.com/` +
    String.raw`(?:watch\?(?:[^#]*&)?v=|watch_videos\?(?:[^#]*&)?video_ids=|embed/|v/|shorts/))` +
    String.raw`([A-Za-z0-9_-]{11})(?![A-Za-z0-9_-])`,
);
const VIMEO = /^https?:\/\/(?:www\.|player\.)?vimeo\.com\/(?:video\/)?([0-9]{1,15})(?:[/?#]|$)/;

export function videoAt(url: string): Video | undefined {
  const youtube = YOUTUBE.exec(url)?.[1];
  if (youtube !== undefined) return { site: "YouTube", id: youtube };
  const vimeo = VIMEO.exec(url)?.[1];
  return vimeo === undefined ? undefined : { site: "Vimeo", id: vimeo };
}

/** Returns the oEmbed URL of a video. */
export function videoInfoUrl({ site, id }: Video): string {
  if (site === "Vimeo") {
    return `https://vimeo.com/api/oembed.json?url=${encodeURIComponent(`https://vimeo.com/${id}`)}`;
  }
  const watched = encodeURIComponent(`https://www.youtube.com/watch?v=${id}`);
  return `https://www.youtube.com/oembed?format=json&url=${watched}`;
}

/** Returns undefined if the metadata is incomplete. `address`: the oEmbed URL. */
export function linkedVideo(json: string, address: string): LinkedPage | undefined {
  let fields: unknown;
  try {
    fields = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof fields !== "object" || fields === null) return undefined;
  const { title, thumbnail_url } = fields as Record<string, unknown>;
  if (typeof title !== "string" || typeof thumbnail_url !== "string") return undefined;
  const image = cleanImage(thumbnail_url, address);
  const text = shortTitle(title);
  return image === undefined || text === "" ? undefined : { title: text, description: "", image };
}
