// Limits of uploads, and the messages when files exceed them.
import { getState } from "../../store/store.ts";
import { formatSize, MIB, tooLarge } from "../../words/numbers.ts";
import { t } from "../../words/words.ts";
import type { Limits } from "./uploads-sync.ts";

const TOO_LARGE = 413;

const mib = (field: "max_file_upload_size_mib" | "realm_upload_quota_mib") =>
  Number(getState().organization.fields[field] ?? 0);

export const limits: Limits = {
  refusalReason: ({ size }) => tooLarge(size, mib("max_file_upload_size_mib")),
  explain({ status, text: words }) {
    if (status !== TOO_LARGE) return { words };
    // A proxy's error has no message for users.
    if (words === "") return { words: t("upload-stopped") };
    const quota = mib("realm_upload_quota_mib") * MIB;
    if (quota === 0) return { words };
    return { words: t("upload-quota-full", { size: formatSize(quota) }), isQuotaFull: true };
  },
};
