// Modules that load after the first view: commands, their dependencies, and short links.
import "./features/conversation/commands.ts";
// A page is whole with it: a key that is meant for a message does not come before.
import "./features/messages/deeds.ts";
import "./features/frame/commands.ts";
import "./features/frame/meant.ts";
import "./features/frame/title.ts";
import "./features/frame/unloaded.ts";
import { followShortLink } from "./features/messages/short-link.ts";
import "./features/notifications/commands.ts";
import "./features/files/astray.ts";
import "./features/files/commands.ts";
import "./features/files/player-keys.ts";
import { keepQuietEverywhere } from "./features/notifications/quiet-kept.ts";
import { startTelling } from "./features/notifications/tell.ts";
import "./features/founding/commands.ts";
import "./features/people/commands.ts";
import "./features/pinned/commands.ts";
import "./features/rail/commands.ts";
import "./features/search/commands.ts";
import "./features/settings/commands.ts";
import "./features/shortcuts/commands.ts";
import { listenForOffer } from "./features/share/install.ts";
import { makeRoomForKeyboard } from "./features/share/keyboard.ts";
import { keepForOffline } from "./features/share/offline.ts";
import { followShared } from "./features/share/take.ts";
import "./features/topics/commands.ts";
import "./features/compose/commands.ts";
import "./features/unread/marking.ts";
import "./features/voice/hear.ts";
import "./words/refused.ts";

// Parts that are asked for one by one: among others of their kind they are half the bytes.
import "./features/conversation/announcing.ts";
import "./features/conversation/hint.tsx";
import "./features/conversation/keeper.ts";
import "./features/conversation/marathon.tsx";
import "./features/conversation/unsure.ts";
import "./features/frame/zone.tsx";
import "./features/notifications/why.tsx";
import "./features/people/card.tsx";
import "./features/presence/status.tsx";
import "./features/rail/filter.tsx";
import "./features/rail/width.tsx";
import "./features/recent/directs.ts";
import "./features/topics/follow.ts";

followShortLink();
startTelling();
keepQuietEverywhere();
followShared();
listenForOffer();
makeRoomForKeyboard();
keepForOffline();
