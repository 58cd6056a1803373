// The order of what a Slack import writes; the numbers are on disk.

export const FILES_STEP = 3;
export const MESSAGES_STEP = 4;

/** A link to an uploaded file, as Markdown. */
export function linkTo(name: string, path_id: string): string {
  return `[${name.replaceAll(/([[\]\\])/g, "\\$1")}](/user_uploads/${path_id})`;
}
