// The organization's icon, or Skein's logo if it has none.
import { subscribe, getState } from "../../store/store.ts";

const THREAD = [
  "M17.5 6.2C15.8 4.5 13.6 4 11.4 4.3 8.3 4.7 6.3 6.5 6.6 8.7c.6 4 10.6 2.7 11 6.9",
  ".2 2.3-2 4-5.1 4.2-2.3.1-4.5-.5-6.1-2.1",
].join("");
const TURNS =
  "M14.6 8.6c-1.1-.9-2.7-1-3.5-.5-.7.5-.5 1.3.5 1.8M9.3 15.3c1.1.9 2.8 1.1 3.7.6.8-.5.6-1.3-.4-1.9";
const UPLOADED = "U";

export function OrganizationMark() {
  subscribe("realm");
  const { fields } = getState().organization;
  const url = fields["realm_icon_source"] === UPLOADED && fields["realm_icon_url"];
  return (
    <span class="mark" aria-hidden="true">
      {typeof url === "string" ? (
        <img src={url} alt="" width={28} height={28} />
      ) : (
        <svg viewBox="0 0 24 24">
          <g fill="none" stroke="currentColor" stroke-width="1.9" stroke-linecap="round">
            <path d={THREAD} />
            <path d={TURNS} />
          </g>
        </svg>
      )}
    </span>
  );
}
