// Modules that load after the first view: commands, their dependencies, and short links.
import "../features/conversation/commands.ts";
// Loaded with the page, so that shortcuts of messages always work.
import "../features/conversation/feed-parts.ts";
import "./commands.ts";
import "./resolve-address.ts";
import "./title.ts";
import "./load-error.ts";
import { followShortLink } from "../features/messages/short-link.ts";
import "../features/notifications/commands.ts";
import "../features/files/stray-drops.ts";
import "../features/files/commands.ts";
import "../features/files/player-keys.ts";
import { syncQuiet } from "../features/notifications/quiet-server.ts";
import { startNotifying } from "../features/notifications/notify.ts";
import "../features/menus/list-rows.ts";
import "../features/onboarding/commands.ts";
import "../features/people/commands.ts";
import "../features/pinned/commands.ts";
import "../features/sidebar/arrange.ts";
import "../features/sidebar/commands.ts";
import "../features/search/commands.ts";
import "../features/search/match-dates.ts";
import "./settings/commands.ts";
import "../features/shortcuts/commands.ts";
import { listenForOffer } from "../features/share/install.ts";
import { makeRoomForKeyboard } from "../features/share/keyboard.ts";
import { precacheForOffline } from "../features/share/offline.ts";
import { followShared } from "../features/share/open-shared.ts";
import "../features/topics/commands.ts";
import "../features/compose/commands.ts";
import "../features/unread/marking-actions.ts";
import "../features/voice/play.ts";

// Loaded one by one: bundled with others of their kind, they would be twice as large.
import "../features/conversation/announcing/arrivals.ts";
import "../features/conversation/banners/hint.tsx";
import "../features/conversation/cache-view.ts";
import "../features/conversation/banners/many-unread.tsx";
import "../features/conversation/unresolved-matches.ts";
import "../features/page/time-zone-offer.tsx";
import "../features/notifications/why.tsx";
import "../features/people/card.tsx";
import "../features/presence/status.tsx";
import "../features/sidebar/filter.tsx";
import "../features/sidebar/heading-buttons.tsx";
import "../features/sidebar/row-menu-button.tsx";
import "../features/sidebar/width.tsx";
import "../features/recent/directs.ts";
import "../features/topics/redirect-actions.ts";

followShortLink();
startNotifying();
syncQuiet();
followShared();
listenForOffer();
makeRoomForKeyboard();
precacheForOffline();
