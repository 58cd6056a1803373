// The name and picture of the organization.
import { useSignal } from "@preact/signals";
import type { patchRealm } from "../../../features/organization/change.ts";
import { call, type ParamsOf } from "../../api/call.ts";
import { sync } from "../../here.ts";
import { now } from "../../live.ts";
import { say } from "../../words/words.ts";
import { Mark } from "../rail/mark.tsx";
import { TextField, useSending } from "../settings/form.tsx";
import { OwnPicture, sendFile } from "../settings/own/picture.tsx";
import { PartForm, type Part } from "./part.tsx";

const changeRealm = call<typeof patchRealm>("PATCH", "/realm", "send");
type Changed = ParamsOf<typeof patchRealm>;
const NAME_LENGTH_MAX = 40;

export function Naming({ next }: Part) {
  const before = String(now().organization.fields["realm_name"] ?? "");
  const name = useSignal(before);
  const { refusal, send } = useSending();
  const save = async () => {
    if (name.value.trim() === "") return void (refusal.value = say("name-missing"));
    const isSame = name.value.trim() === before;
    if (isSame || (await send(() => changeRealm(sync, { name: name.value } as Changed)))) next();
  };
  return (
    <PartForm send={() => void save()}>
      <div class="founding-picture">
        <Mark />
        <OwnPicture
          label={say("founding-picture")}
          words={say("founding-picture")}
          send={(file) => sendFile("POST", "/realm/icon", {}, file)}
        />
      </div>
      <TextField
        label={say("founding-name-field")}
        value={name}
        refusal={refusal.value}
        maxLength={NAME_LENGTH_MAX}
      />
    </PartForm>
  );
}
