// Drafts, scheduled messages and reminders: lists of one kind, of what one has begun or put off.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { addressOf, go, remembered } from "../../address.ts";
import { keyed, known } from "../../live.ts";
import { IconButton } from "../../ui/button.tsx";
import { setColor } from "../../ui/colored.tsx";
import { Icon } from "../../ui/icon.tsx";
import { List } from "../../ui/list/list.tsx";
import { directView, topicView, type View } from "../../views.ts";
import { formatBrief, formatMoment } from "../../words/dates.ts";
import { say, type Word } from "../../words/words.ts";
import { barOf, conversationName } from "../conversation/drawing.ts";
import { Who } from "../lists/faces.tsx";
import { openAside } from "../lists/open.ts";
import { viewOfPlace } from "../lists/places.ts";
import { ListSheet } from "../lists/sheet.tsx";
import { want } from "../messages/wanted.ts";
import { hearOwn, shelf } from "../compose/desk.ts";
import { deleteDraft, deleteLocal, deleteReminder, deleteScheduled, goOn } from "./actions.ts";
import { Failed, ScheduledActs } from "./scheduled-acts.tsx";
import { type OwnKind, type OwnRow, ownRows } from "./rows.ts";

const EVENTS: Readonly<Record<OwnKind, string>> = {
  drafts: "drafts",
  scheduled: "scheduled_messages",
  reminders: "reminders",
};
const NONE: Readonly<Record<OwnKind, Word>> = {
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
  keyed(EVENTS[kind], "channels", "users");
  const state = known()!;
  const reminded = [...state.personal.reminders.values()].map((one) => {
    keyed(`message:${one.reminder_target_message_id}`);
    return one.reminder_target_message_id;
  });
  useEffect(() => {
    if (kind === "reminders") want(reminded);
  }, [kind, reminded.join()]);
  const chosen = useSignal(remembered.peek().row);
  hearOwn();
  const rows = ownRows(state, kind, shelf.value?.drafts.all() ?? []);
  const remove = (row: OwnRow) => {
    const at = rows.findIndex(({ key }) => key === row.key);
    chosen.value = (rows[at + 1] ?? rows[at - 1])?.key;
    if (row.key.startsWith("local ")) deleteLocal(row.draft!);
    else DELETE[kind](row.id);
  };
  return (
    <ListSheet title={say(kind)} sub={say(SUBS[kind])} label={say(kind)}>
      {rows.length === 0 ? (
        <div class="empty own-empty">
          <Icon name={ICONS[kind]} size={20} />
          <p>{say(NONE[kind])}</p>
        </div>
      ) : (
        <div class="col own-list">
          <List
            items={rows}
            chosen={chosen}
            onOpen={(row, isAside) => {
              const to = viewOf(row);
              if (row.draft && !isAside) goOn(row.draft);
              if (to) (isAside ? openAside : go)(to);
            }}
            keys={{
              Backspace: remove,
              Delete: remove,
            }}
            draw={(row, isChosen) => (
              <Row key={row.key} row={row} kind={kind} isChosen={isChosen} onDelete={remove} />
            )}
          />
        </div>
      )}
    </ListSheet>
  );
}

const SUBS: Readonly<Record<OwnKind, Word>> = {
  drafts: "drafts-sub",
  scheduled: "scheduled-sub",
  reminders: "reminders-sub",
};

function viewOf({ place, message_id }: OwnRow): View | undefined {
  if (!place) return undefined;
  if (message_id === undefined) return viewOfPlace(place);
  if ("user_ids" in place) return directView(place.user_ids, known()!.people.me, message_id);
  return topicView(place.stream_id, place.topic, { operator: "near", id: message_id });
}

interface Drawn {
  row: OwnRow;
  kind: OwnKind;
  isChosen: boolean;
  onDelete: (row: OwnRow) => void;
}

function Row({ row, kind, isChosen, onDelete }: Drawn) {
  const { key, place, line, at, isFailed } = row;
  const to = viewOf(row);
  const words = place && barOf(place);
  const name = !place
    ? say("to-nobody-yet")
    : "user_ids" in place
      ? conversationName(place.user_ids)
      : words!.title;
  return (
    <li class="list-row" data-key={key} data-selected={isChosen ? "" : undefined}>
      <div class="lead">
        {place && "user_ids" in place ? (
          <Who user_ids={place.user_ids} size={24} />
        ) : (
          <span class="ch" data-c="" ref={(node) => setColor(node, words?.color)}>
            <Icon name={words?.icon ?? "pencil"} />
          </span>
        )}
        <div>
          <p class="top">
            <b>
              <a
                href={to ? addressOf(to) : "#drafts"}
                data-focus=""
                tabIndex={isChosen ? 0 : -1}
                dir="auto"
              >
                {name}
              </a>
            </b>
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
          {kind === "scheduled" && <ScheduledActs id={row.id} name={name} />}
          <IconButton
            icon="trash"
            size="s"
            label={say("delete-of", { name })}
            onClick={() => onDelete(row)}
          />
        </span>
        <time>{kind === "drafts" ? formatBrief(at, Date.now() / 1000) : formatMoment(at)}</time>
      </div>
    </li>
  );
}
