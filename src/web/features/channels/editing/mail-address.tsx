// The email address of a channel, if the server has an email gateway.
import { useSignal } from "@preact/signals";
import { fetchChannelAddress } from "../../../api/manage-calls.ts";
import { sync } from "../../../sync/session.ts";
import { FieldError } from "../../../ui/form/text-field.tsx";
import { Button } from "../../../ui/button.tsx";
import { copyText } from "../../../ui/copy.ts";
import { errorOf } from "../../../ui/saving.ts";
import { t } from "../../../words/words.ts";

export function ChannelAddress({ stream_id }: { stream_id: number }) {
  const address = useSignal<string | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  const ask = async () => {
    error.value = undefined;
    try {
      address.value = (await fetchChannelAddress(sync, { stream_id })).email;
    } catch (failure) {
      error.value = errorOf(failure);
    }
  };
  const { value } = address;
  return (
    <div class="save-row">
      {value === undefined && (
        <Button icon="mail" onClick={() => void ask()}>
          {t("channel-mail")}
        </Button>
      )}
      {value === "" && <p class="hint">{t("channel-mail-none")}</p>}
      {value && (
        <>
          <code class="mail-address">{value}</code>
          <Button icon="copy" onClick={() => copyText(value, t("address-copied"))}>
            {t("copy")}
          </Button>
        </>
      )}
      <FieldError text={error.value} />
    </div>
  );
}
