// Names of files in an HTML archive: a browser that opens one never runs it.
import { withoutEnd } from "../../../text/trim.ts";
import { addressName } from "../../files/rules.ts";

/** Extensions that browsers display or play without running scripts, and those they only save. */
const PASSIVE: ReadonlySet<string> = new Set(
  (
    "7z aac avif bmp bz2 csv doc docx eps epub flac gif gz heic ico ics jpeg jpg json key log " +
    "m4a m4v md mkv mov mp3 mp4 numbers odp ods odt oga ogg ogv opus pages pdf png ppt pptx " +
    "psd rtf tar tgz tif tiff tsv txt wav webm webp xls xlsx xz zip zst"
  ).split(" "),
);
/** Names that Windows keeps for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** `evil.html` becomes `evil.html.download`, because a local page may read other local files. */
export function archivedName(name: string): string {
  const safeName = withoutEnd(addressName(name, true).replace(/^\.+/, ""), /[. ]/) || "file";
  const safe = DEVICE.test(safeName) ? `file-${safeName}` : safeName;
  const extension = /\.([A-Za-z0-9]{1,10})$/.exec(safe)?.[1]?.toLowerCase();
  return extension !== undefined && PASSIVE.has(extension) ? safe : `${safe}.download`;
}
