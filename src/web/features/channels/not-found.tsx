// The view in place of a channel that does not exist or is not accessible.
import { go } from "../../store/address.ts";
import { getState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { t } from "../../words/words.ts";

export function ChannelNotFound() {
  return (
    <div class="feed-note empty-note" role="alert">
      <p>{t("no-such-channel")}</p>
      {/* Spectators see all their channels in the sidebar, and can sign in there. */}
      {getState().people.me !== 0 && (
        <Button icon="hash" onClick={() => go({ kind: "page", page: "channels", path: ["all"] })}>
          {t("browse-channels")}
        </Button>
      )}
    </div>
  );
}
