// Opens the preview of a file, with a placeholder until its script has loaded.
import { decodeUrlPart } from "../../../../text/input/decode-url-part.ts";
import { lazyDialog } from "../../../ui/loading/lazy-layer.tsx";
import { kindOf } from "../message-files.ts";
import { kindOfFile } from "./file-kinds-rules.ts";

const preview = lazyDialog(() => import("./preview.tsx"));

/** Returns the name that is shown, if it has an extension; otherwise the name in the URL. */
export function fileNameOf(path: string, name: string): string {
  if (kindOf(name) !== "") return name;
  return decodeUrlPart(path.slice(path.lastIndexOf("/") + 1));
}

/** Returns whether there is a preview of this kind of file. */
export function openPreviewOf(path: string, name: string): boolean {
  const kind = kindOfFile(fileNameOf(path, name));
  if (!kind) return false;
  void preview(
    "file-preview",
    () => name,
    ({ openPreview }) => openPreview({ path, name, kind }),
  );
  return true;
}
