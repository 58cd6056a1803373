// The users who have read a message, if they share it.
import { fetchReceipts } from "../../../api/message-calls.ts";
import { sync } from "../../../sync/session.ts";
import { getState } from "../../../store/store.ts";
import { showRefusal } from "../../../sync/optimistic.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { replacerOf } from "../../../ui/layers.ts";
import { t } from "../../../words/words.ts";
import { personOf, type Person } from "../../people/state.ts";
import type { Message } from "../../../contract/message.ts";

const ID = "read-receipts";
/** Longer lists are not useful. */
const PEOPLE_MAX = 500;

export async function showReceipts({ id: message_id }: Message): Promise<void> {
  const replace = replacerOf(ID);
  try {
    const { user_ids } = await fetchReceipts(sync, { message_id });
    const readers = user_ids.flatMap((id) => personOf(getState().people, id) ?? []);
    const sorted = readers.sort((a, b) => a.full_name.localeCompare(b.full_name));
    replace(<Receipts readers={sorted} />);
  } catch (error) {
    showRefusal(error);
  }
}

function Receipts({ readers }: { readers: readonly Person[] }) {
  return (
    <Dialog id={ID} title={t("read-by", { count: readers.length })}>
      {readers.length === 0 && <p>{t("read-by-nobody")}</p>}
      <ul>
        {readers.slice(0, PEOPLE_MAX).map((person) => (
          <li key={person.user_id} class="person">
            <Avatar person={person} size={24} />
            <bdi>{person.full_name}</bdi>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
