// Warnings above the text before sending, one per line.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { importOrReload } from "../../scripts.ts";
import { runWithToast } from "../../ui/form/save-errors.ts";
import { Icon } from "../../ui/icon.tsx";
import { showToast } from "../../ui/toast.tsx";
import type { ConversationRef } from "../../views.ts";
import { t } from "../../words/words.ts";
import { barOf } from "../conversation/bar/selectors.ts";
import type { Notice } from "./notices.ts";
import type { Reason } from "../recipient/reasons.ts";

interface NoticeListProps {
  notices: readonly Notice[];
  conversation: ConversationRef | undefined;
  reason: Reason | undefined;
}

export function NoticeList({ notices, conversation, reason }: NoticeListProps) {
  const channel = (conversation && barOf(conversation).channel?.name) ?? "";
  const stream_id =
    conversation && "stream_id" in conversation ? conversation.stream_id : undefined;
  if (!reason && notices.length === 0) return null;
  return (
    <div class="compose-notices" role="status">
      {reason && <NoticeLine text={t(reason.textKey as "cannot-post", { channel })} />}
      {notices.map((notice) => (
        <NoticeLine key={JSON.stringify(notice)} text={wordsOf(notice, channel)}>
          {stream_id !== undefined && notice.kind === "outside" && notice.canAdd && (
            <AddButton stream_id={stream_id} channel={channel} {...notice} />
          )}
        </NoticeLine>
      ))}
    </div>
  );
}

function NoticeLine({ text, children }: { text: string; children?: ComponentChildren }) {
  return (
    <p>
      <Icon name="alert" size={16} />
      <span>{text}</span>
      {children}
    </p>
  );
}

interface AddButtonProps {
  stream_id: number;
  channel: string;
  user_id: number;
  name: string;
}

/** Adds a mentioned user to the channel; the message can be sent with or without that. */
function AddButton({ stream_id, channel, user_id, name }: AddButtonProps) {
  const isBusy = useSignal(false);
  const add = async (field: HTMLElement | null | undefined) => {
    isBusy.value = true;
    const isAdded = await runWithToast(async () => {
      const { addToChannel } = await importOrReload(
        () => import("../channels/subscriber-actions.ts"),
      );
      await addToChannel(stream_id, [user_id], true);
    });
    isBusy.value = false;
    if (!isAdded) return;
    showToast({ text: t("added-to-channel", { name, channel }) });
    // The notice disappears together with the focused button.
    field?.focus();
  };
  return (
    <button
      type="button"
      class="compose-add"
      aria-label={t("add-named-to-channel", { name, channel })}
      disabled={isBusy.value}
      onClick={({ currentTarget }) => {
        void add(currentTarget.closest("form")?.querySelector("textarea"));
      }}
    >
      {t("add")}
    </button>
  );
}

function wordsOf(notice: Notice, channel: string): string {
  switch (notice.kind) {
    case "many":
      return t("notifies-many", { count: notice.count });
    case "outside":
      return t(notice.isUnseen ? "mentioned-outside-unseen" : "mentioned-outside", {
        name: notice.name,
        channel,
      });
    case "hidden":
      return t("readers-cannot-see", { channel: notice.name });
    case "guests":
      return t("recipients-are-guests", {
        count: notice.names.length,
        names: new Intl.ListFormat(document.documentElement.lang || "en").format(notice.names),
      });
    case "slash":
      return t("no-command", { name: notice.name });
    case "long":
      return t("too-long", { count: notice.over });
  }
}
