// The pages of what is open to everyone, and how search engines find them.
import { getProofScript } from "../../features/invitations/proof-script.ts";
import {
  showPublic,
  showPublicChannel,
  showPublicTopic,
} from "../../features/public-pages/actions.ts";
import { getSitemap } from "../../features/public-pages/sitemap.ts";
import { anyone } from "../../server/gate.ts";
import { GET, type Route } from "../../server/routing.ts";

export const publicRoutes: readonly Route[] = [
  GET("root:/public/", anyone, showPublic),
  GET("root:/public/channel/{channel}/", anyone, showPublicChannel),
  GET("root:/public/channel/{channel}/topic/{topic}/", anyone, showPublicTopic),
  GET("root:/sitemap.xml", anyone, getSitemap),
  GET("root:/static/proof.js", anyone, getProofScript, "free"),
];
