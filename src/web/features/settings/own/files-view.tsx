// The user's uploaded files: size, messages that use them, and deletion.
import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import { addressOf } from "../../../store/address.ts";
import { deleteFile, fetchFiles } from "../../../api/account-calls.ts";
import { sync } from "../../../sync/session.ts";
import { fetchMessages } from "../../../api/calls.ts";
import { conversationOfMessage } from "../../../feed/items.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { formatSize, MIB } from "../../../words/numbers.ts";
import { directView, topicView, type View } from "../../../views.ts";
import { t } from "../../../words/words.ts";
import { nameOf } from "../../page/selectors.ts";
import type { Message } from "../../../contract/message.ts";
import { runWithToast } from "../../../ui/form/save-errors.ts";
import { ListItem } from "../setting-frame.tsx";
import { confirmAction } from "../confirm.tsx";

type File = Awaited<ReturnType<typeof fetchFiles>>["attachments"][number];

export function FilesPage() {
  const files = useSignal<readonly File[] | undefined>(undefined);
  const used = useSignal(0);
  const messages = useSignal<MessagesOfFiles>(undefined);
  const load = async () => {
    const { attachments, upload_space_used } = await fetchFiles(sync, {});
    used.value = upload_space_used;
    files.value = attachments.toSorted((a, b) => b.size - a.size);
    const message_ids = [...new Set(files.value.flatMap((file) => shownIds(file.message_ids)))];
    const params = { message_ids: message_ids.slice(0, ASKED_MAX), ...PLAIN };
    const foundMessages =
      message_ids.length === 0 ? [] : (await fetchMessages(sync, params)).messages;
    messages.value = new Map(foundMessages.map((message) => [message.id, message]));
  };
  useEffect(() => {
    const reload = () => void runWithToast(load);
    reload();
    addEventListener("focus", reload);
    return () => removeEventListener("focus", reload);
  }, []);
  const quota = Number(getState().organization.fields["realm_upload_quota_mib"] ?? 0) * MIB;
  if (!files.value) return <p class="settings-intro">{t("settings-loading")}</p>;
  const size = formatSize(files.value.reduce((sum, file) => sum + file.size, 0));
  return (
    <section>
      <p class="settings-fact">
        {files.value.length === 0
          ? t("settings-files-none")
          : t("settings-files-total", { count: files.value.length, size })}
      </p>
      {quota > 0 && (
        <p class="settings-fact">
          {t("settings-files-room", { used: formatSize(used.value), most: formatSize(quota) })}
        </p>
      )}
      <ul class="settings-list">
        {files.value.map((file) => (
          <Row key={file.id} file={file} messages={messages.value} load={load} />
        ))}
      </ul>
    </section>
  );
}

interface FileRowProps {
  file: File;
  messages: MessagesOfFiles;
  load: () => Promise<void>;
}

function Row({ file, messages, load }: FileRowProps) {
  const remove = () => deleteFile(sync, { attachment_id: file.id }).then(load);
  return (
    <ListItem retry={load}>
      {(attempt) => (
        <>
          <span>
            <a href={`/user_uploads/${file.path_id}`} target="_blank" rel="noopener">
              <bdi>{file.name}</bdi>
            </a>
            <small>
              {formatSize(file.size)} · <FileUses ids={file.message_ids} messages={messages} />
            </small>
          </span>
          <Button
            aria-label={t("settings-file-delete", { name: file.name })}
            onClick={() => confirmDelete(file, () => attempt(remove))}
          >
            {t("settings-delete")}
          </Button>
        </>
      )}
    </ListItem>
  );
}

/** Lists the messages with the file that the user can see. */
function FileUses({ ids, messages }: { ids: readonly number[]; messages: MessagesOfFiles }) {
  subscribe("channels", "users");
  if (ids.length === 0) return t("settings-file-unused");
  const usedIn = shownIds(ids).flatMap((id) => messages?.get(id) ?? []);
  const otherCount = ids.length - usedIn.length;
  return (
    <>
      {usedIn.map((message) => (
        <Fragment key={message.id}>
          <a href={addressOf(viewOf(message))}>
            {t("settings-file-message", { place: nameOf(viewOf(message), getState()) })}
          </a>{" "}
        </Fragment>
      ))}
      {messages &&
        otherCount > 0 &&
        usedIn.length > 0 &&
        t("settings-file-more", { count: otherCount })}
      {messages && usedIn.length === 0 && t("settings-file-elsewhere")}
    </>
  );
}

type MessagesOfFiles = ReadonlyMap<number, Message> | undefined;

/** Number of messages that are listed. */
const NAMES_SHOWN_MAX = 3;
const shownIds = (ids: readonly number[]) => ids.slice(-NAMES_SHOWN_MAX);
const ASKED_MAX = 1000;
const PLAIN = { apply_markdown: false, allow_empty_topic_name: true };

function viewOf(message: Message): View {
  const { me } = getState().people;
  const conversation = conversationOfMessage(message, me);
  return "user_ids" in conversation
    ? directView(conversation.user_ids, me, message.id)
    : topicView(conversation.stream_id, conversation.topic, { operator: "near", id: message.id });
}

function confirmDelete(file: File, remove: () => unknown): void {
  const params = {
    title: t("settings-file-delete", { name: file.name }),
    text: t("settings-file-sure", { count: file.message_ids.length }),
    actionLabel: t("settings-delete"),
  };
  confirmAction(params, () => void remove());
}
