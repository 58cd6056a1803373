// The pages for drafts, scheduled messages and reminders.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { addressOf, go } from "../../store/address.ts";
import { remembered } from "../../ui/history-entry.ts";
import { subscribe, getState } from "../../store/store.ts";
import { IconButton } from "../../ui/button.tsx";
import { setColor } from "../../ui/colored.tsx";
import { Icon } from "../../ui/icon.tsx";
import { List } from "../../ui/list/list.tsx";
import { directView, topicView, type View } from "../../views.ts";
import { formatBrief, formatMoment } from "../../words/dates.ts";
import { t, type TextKey } from "../../words/words.ts";
import { barOf } from "../conversation/bar/selectors.ts";
import { conversationName } from "../conversation/selectors.ts";
import { AvatarWithPresence } from "../lists/avatars.tsx";
import { openInNewTab } from "../lists/open-view.ts";
import { viewOfConversation } from "../lists/selectors.ts";
import { ListView } from "../lists/list-view.tsx";
import { loadMissing } from "../messages/load-missing-actions.ts";
import { subscribeToDrafts, stores } from "../compose/stores-sync.ts";
import {
  deleteDraft,
  deleteLocal,
  deleteReminder,
  deleteScheduled,
  continueDraft,
} from "./actions.ts";
import { Failed, ScheduledActions } from "./scheduled-buttons.tsx";
import { type OwnKind, type OwnRow, ownRows } from "./rows.ts";

const EVENTS = {
  drafts: "drafts",
  scheduled: "scheduled_messages",
  reminders: "reminders",
} as const;
const NONE: Readonly<Record<OwnKind, TextKey>> = {
  drafts: "drafts-none",
  scheduled: "scheduled-none",
  reminders: "reminders-none",
};
const ICONS = { drafts: "pencil", scheduled: "clock", reminders: "bell" } as const;
const DELETE: Readonly<Record<OwnKind, (id: number) => void>> = {
  drafts: deleteDraft,
  scheduled: deleteScheduled,
  reminders: deleteReminder,
};

export function OwnList({ kind }: { kind: OwnKind }) {
  subscribe(EVENTS[kind], "channels", "users");
  const state = getState();
  const reminded = [...state.personal.reminders.values()].map((reminder) => {
    subscribe(`message:${reminder.reminder_target_message_id}`);
    return reminder.reminder_target_message_id;
  });
  useEffect(() => {
    if (kind === "reminders") loadMissing(reminded);
  }, [kind, reminded.join()]);
  const selectedRow = useSignal(remembered.peek().row);
  subscribeToDrafts();
  const rows = ownRows(state, kind, stores.value?.drafts.all() ?? []);
  const remove = (row: OwnRow) => {
    const index = rows.findIndex(({ key }) => key === row.key);
    selectedRow.value = (rows[index + 1] ?? rows[index - 1])?.key;
    if (row.key.startsWith("local ") && row.draft) deleteLocal(row.draft);
    else DELETE[kind](row.id);
  };
  return (
    <ListView title={t(kind)} sub={t(LIST_SUBTITLES[kind])} label={t(kind)}>
      {rows.length === 0 ? (
        <div class="empty own-empty">
          <Icon name={ICONS[kind]} size={20} />
          <p>{t(NONE[kind])}</p>
        </div>
      ) : (
        <div class="col own-list">
          <List
            items={rows}
            selected={selectedRow}
            onOpen={(row, isInNewTab) => {
              const to = viewOf(row);
              if (row.draft && !isInNewTab) continueDraft(row.draft);
              if (to) (isInNewTab ? openInNewTab : go)(to);
            }}
            keys={{
              Backspace: remove,
              Delete: remove,
            }}
            renderItem={(row, isSelected) => (
              <Row key={row.key} row={row} kind={kind} isSelected={isSelected} onDelete={remove} />
            )}
          />
        </div>
      )}
    </ListView>
  );
}

const LIST_SUBTITLES: Readonly<Record<OwnKind, TextKey>> = {
  drafts: "drafts-sub",
  scheduled: "scheduled-sub",
  reminders: "reminders-sub",
};

function viewOf({ conversation, message_id }: OwnRow): View | undefined {
  if (!conversation) return undefined;
  if (message_id === undefined) return viewOfConversation(conversation);
  if ("user_ids" in conversation)
    return directView(conversation.user_ids, getState().people.me, message_id);
  return topicView(conversation.stream_id, conversation.topic, {
    operator: "near",
    id: message_id,
  });
}

interface DraftRowProps {
  row: OwnRow;
  kind: OwnKind;
  isSelected: boolean;
  onDelete: (row: OwnRow) => void;
}

function Row({ row, kind, isSelected, onDelete }: DraftRowProps) {
  const { key, conversation, line, time, isFailed, draft } = row;
  const to = viewOf(row);
  const words = conversation && barOf(conversation);
  const name = !conversation
    ? t("no-recipient")
    : "user_ids" in conversation
      ? conversationName(conversation.user_ids)
      : barOf(conversation).title;
  return (
    <li class="list-row" data-key={key} data-selected={isSelected ? "" : undefined}>
      <div class="lead">
        {conversation && "user_ids" in conversation ? (
          <AvatarWithPresence user_ids={conversation.user_ids} size={24} />
        ) : (
          <span class="ch" data-c="" ref={(node) => setColor(node, words?.color)}>
            <Icon name={words?.icon ?? "pencil"} />
          </span>
        )}
        <div>
          <p class="top">
            {words?.isResolved && <Icon name="resolve" size={16} />}
            <b dir="auto">
              <a
                href={to ? addressOf(to) : "#drafts"}
                data-focus=""
                tabIndex={isSelected ? 0 : -1}
                onClick={({ ctrlKey, metaKey, shiftKey }) => {
                  // Such a click opens another tab or window.
                  const isInNewTab = ctrlKey || metaKey || shiftKey;
                  if (draft && !isInNewTab) continueDraft(draft);
                }}
              >
                {name}
              </a>
            </b>
            {words?.isResolved && <span class="vh">{t("resolved")}</span>}
            {words?.channel && <small>{words.channel.name}</small>}
          </p>
          <p class="pre" dir="auto">
            {line || "\u00a0"}
          </p>
          {isFailed && <Failed row={row} kind={kind} />}
        </div>
      </div>
      <div class="end">
        <span class="act">
          {kind === "scheduled" && <ScheduledActions id={row.id} name={name} />}
          <DeleteButton kind={kind} name={name} onClick={() => onDelete(row)} />
        </span>
        <time>{kind === "drafts" ? formatBrief(time, Date.now() / 1000) : formatMoment(time)}</time>
      </div>
    </li>
  );
}

const DELETE_LABELS = {
  drafts: "delete-of",
  scheduled: "delete-scheduled-of",
  reminders: "delete-reminder-of",
} as const satisfies Readonly<Record<OwnKind, TextKey>>;

interface DeleteButtonProps {
  kind: OwnKind;
  name: string;
  onClick: () => void;
}

const DeleteButton = ({ kind, name, onClick }: DeleteButtonProps) => (
  <IconButton icon="trash" size="s" label={t(DELETE_LABELS[kind], { name })} onClick={onClick} />
);
