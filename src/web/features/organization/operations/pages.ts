// The pages about exports, webhooks, the server and the like, which are loaded together.
import { AuditPage } from "./audit-view.tsx";
import { DeactivatePage } from "./deactivate-view.tsx";
import { ExportsPage } from "./exports-view.tsx";
import { ServerPage } from "./server-view.tsx";
import { WebhooksPage } from "./webhooks-view.tsx";

export const operationsPages = {
  AuditPage,
  DeactivatePage,
  ExportsPage,
  ServerPage,
  WebhooksPage,
};
