// The order in which an import writes its data; the numbers are stored.

export const FILES_STEP = 3;
export const MESSAGES_STEP = 4;
/** Written before messages. An undo deactivates the emoji before it deletes messages. */
export const EMOJI_STEP = 5;

/** Messages with links whose targets are not imported yet. At its end, the import rewrites them. */
export const LINKS_STEP = 6;

/** A Markdown link to an uploaded file. */
export function linkTo(name: string, path_id: string): string {
  return `[${name.replaceAll(/([[\]\\])/g, "\\$1")}](/user_uploads/${path_id})`;
}
