// All that can be done in a feed besides reading it: fetched beside the first messages.
import "../conversation/commands.ts";
// Those before offer keys that the following may take from them.
import "../compose/unsent.ts";
import "../conversation/acts.ts";
import "../frame/back-closes.ts";
import "../frame/focus-again.ts";
import "../conversation/press.ts";
import "../files/acts.ts";
import "../files/plays.ts";
import "../files/spoilers.ts";
import "../files/unplayable.ts";
import "../people/hover.ts";
import "../reactions/commands.ts";
import "../widgets/actions.ts";
import "./commands.ts";
import "./menu.ts";
