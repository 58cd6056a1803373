// How large files may be, and what is said of those for which there is no place.
import { now } from "../../live.ts";
import { formatSize, MIB, tooLarge } from "../../words/numbers.ts";
import { say } from "../../words/words.ts";
import type { Limits } from "./uploads.ts";

const TOO_LARGE = 413;

const mib = (field: string) => Number(now().organization.fields[field] ?? 0);

export const limits: Limits = {
  whyNot: ({ size }) => tooLarge(size, mib("max_file_upload_size_mib")),
  told({ status, words }) {
    if (status !== TOO_LARGE) return { words };
    // A proxy's error has no message for users.
    if (words === "") return { words: say("upload-stopped") };
    const quota = mib("realm_upload_quota_mib") * MIB;
    if (quota === 0) return { words };
    return { words: say("upload-no-room", { size: formatSize(quota) }), isOfRoom: true };
  },
};
