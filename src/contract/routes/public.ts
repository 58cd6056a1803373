// Public pages: web-public channels without scripts, and the help center.
import { getProofScript } from "../../features/invitations/proof-script.ts";
import {
  showPublic,
  showPublicChannel,
  showPublicTopic,
} from "../../features/public-pages/actions.ts";
import { getSitemap } from "../../features/public-pages/sitemap.ts";
import { getHelpPageIn, getSignedOutScript } from "../../features/shell/actions.ts";
import { anyone } from "../../server/gate.ts";
import { GET, type Route } from "../../server/routing.ts";

export const publicRoutes: readonly Route[] = [
  GET("root:/help/{language}/{page}/", anyone, getHelpPageIn, "free"),
  GET("root:/public/", anyone, showPublic),
  GET("root:/public/channel/{channel}/", anyone, showPublicChannel),
  GET("root:/public/channel/{channel}/topic/{topic}/", anyone, showPublicTopic),
  GET("root:/sitemap.xml", anyone, getSitemap),
  GET("root:/signed-out.js", anyone, getSignedOutScript, "free"),
  GET("root:/static/proof.js", anyone, getProofScript, "free"),
];
