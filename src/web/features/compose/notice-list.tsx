// Warnings above the text before sending, one per line.
import { Icon } from "../../ui/icon.tsx";
import type { Place } from "../../views.ts";
import { say } from "../../words/words.ts";
import { barOf } from "../conversation/drawing.ts";
import type { Notice } from "./notices.ts";
import type { Reason } from "../target/reasons.ts";

interface Given {
  notices: readonly Notice[];
  place: Place | undefined;
  reason: Reason | undefined;
}

export function NoticeList({ notices, place, reason }: Given) {
  const channel = (place && barOf(place).channel?.name) ?? "";
  const lines = [
    ...(reason ? [say(reason.word as "may-not-post", { channel })] : []),
    ...notices.map((notice) => wordsOf(notice, channel)),
  ];
  if (lines.length === 0) return null;
  return (
    <div class="compose-notices" role="status">
      {lines.map((line) => (
        <p key={line}>
          <Icon name="alert" size={16} />
          <span>{line}</span>
        </p>
      ))}
    </div>
  );
}

function wordsOf(notice: Notice, channel: string): string {
  switch (notice.kind) {
    case "many":
      return say("notifies-many", { count: notice.count });
    case "outside":
      return say("is-outside", { name: notice.name, channel });
    case "hidden":
      return say("may-not-see", { channel: notice.name });
    case "guests":
      return say("writes-guests", {
        count: notice.names.length,
        names: new Intl.ListFormat(document.documentElement.lang || "en").format(notice.names),
      });
    case "slash":
      return say("no-command", { name: notice.name });
    case "long":
      return say("too-long", { count: notice.over });
  }
}
