// The address at which a channel takes mail, where the server has a gateway for it.
import { useSignal } from "@preact/signals";
import { fetchChannelAddress } from "../../../api/manage-calls.ts";
import { sync } from "../../../here.ts";
import { Wrong } from "../../../ui/form/text-field.tsx";
import { Button } from "../../../ui/button.tsx";
import { copyText } from "../../../ui/copy.ts";
import { refusalOf } from "../../../ui/saving.ts";
import { say } from "../../../words/words.ts";

export function ChannelAddress({ stream_id }: { stream_id: number }) {
  const address = useSignal<string | undefined>(undefined);
  const wrong = useSignal<string | undefined>(undefined);
  const ask = async () => {
    wrong.value = undefined;
    try {
      address.value = (await fetchChannelAddress(sync, { stream_id })).email;
    } catch (error) {
      wrong.value = refusalOf(error);
    }
  };
  const { value } = address;
  return (
    <div class="save-row">
      {value === undefined && (
        <Button icon="mail" onClick={() => void ask()}>
          {say("channel-mail")}
        </Button>
      )}
      {value === "" && <p class="hint">{say("channel-mail-none")}</p>}
      {value && (
        <>
          <code class="mail-address">{value}</code>
          <Button icon="copy" onClick={() => copyText(value, say("address-copied"))}>
            {say("copy")}
          </Button>
        </>
      )}
      <Wrong words={wrong.value} />
    </div>
  );
}
