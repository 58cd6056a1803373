// The API documentation as HTML, generated from the OpenAPI document.
import { pathNotFound } from "../../contract/errors/general.ts";
import { type EndpointResult, type OpenContext, openEndpoint, text } from "../../endpoint.ts";
import { anyone } from "../../server/gate.ts";
import type { Route } from "../../server/routing.ts";
import { page } from "../pages/page.ts";
import { type Html, markup } from "../i18n/markup.ts";
import type { Chapter, DescribedOperation, Field } from "./chapters.ts";
import { ENGLISH } from "../i18n/translations.ts";
import { javaScriptSample, pythonSample, curlSample } from "./samples.ts";

/** The sources of the reference are in English. */
const IN_ENGLISH = { speech: ENGLISH };

/** The routes of the pages; they are part of the list that they describe. */
export function referenceRoutes(routes: () => readonly Route[]): Route[] {
  let created: readonly Chapter[] | undefined;
  const chapters = async () => {
    const { chaptersOf } = await import("./chapters.ts");
    const { openapiOf } = await import("../../server/openapi.ts");
    return (created ??= chaptersOf(openapiOf(routes())));
  };
  const contents = openEndpoint({
    summary: "List the chapters of the API reference, as a page",
    tag: "Pages",
    params: {},
    run: async (context) => page(context, "API", contentsOf(await chapters()), 200, IN_ENGLISH),
  });
  const chapter = openEndpoint({
    summary: "Show a chapter of the API reference",
    tag: "Pages",
    params: { chapter: text },
    run: async (context: OpenContext, { chapter: name }): Promise<EndpointResult> => {
      const chapter = (await chapters()).find(({ slug }) => slug === name);
      if (!chapter) throw pathNotFound();
      return page(
        context,
        chapter.name,
        chapterOf(chapter, context.realm.config.url),
        200,
        IN_ENGLISH,
      );
    },
  });
  return [
    { method: "GET", path: "root:/api/", gate: anyone, endpoint: contents, mark: "free" },
    {
      method: "GET",
      path: "root:/api/reference/{chapter}/",
      gate: anyone,
      endpoint: chapter,
      mark: "free",
    },
  ];
}

function contentsOf(chapters: readonly Chapter[]): Html {
  return markup`<p>Authenticate with the email address of an account and its API key (HTTP Basic
authentication). Pass parameters in a form or in the query; parameters of type JSON are JSON text.
Every response is JSON and contains <code>result</code> and <code>msg</code>. The reference as an
OpenAPI document: <a href="/api/v1/openapi.json">openapi.json</a>.</p>
${chapters.map(
  ({ name, slug, operations }) => markup`<h2><a href="/api/reference/${slug}/">${name}</a></h2>
<ul>${operations.map(
    ({ id, summary }) => markup`<li><a href="/api/reference/${slug}/#${id}">${summary}</a></li>
`,
  )}</ul>
`,
)}`;
}

const chapterOf = ({ operations }: Chapter, url: string): Html =>
  markup`<p><a href="/api/">All chapters</a></p>
${operations.map((operation) => operationOf(operation, url))}`;

function operationOf(operation: DescribedOperation, url: string): Html {
  const { id, summary, method, path, fields, answer: response, refusals } = operation;
  return markup`<section id="${id}">
<h2>${summary}</h2>
<p><code>${method} ${path}</code></p>
${fields.length === 0 ? markup`` : markup`<h3>Parameters</h3><dl>${fields.map(fieldOf)}</dl>`}
<h3>Request</h3>
<details><summary>curl</summary><pre>${curlSample(operation, url)}</pre></details>
<details><summary>Python</summary><pre>${pythonSample(operation, url)}</pre></details>
<details><summary>JavaScript</summary><pre>${javaScriptSample(operation, url)}</pre></details>
<h3>Answer</h3>
${response ? markup`<pre>${response}</pre>` : markup`<p>A page, a picture or a file.</p>`}
${
  refusals.length === 0
    ? markup``
    : markup`<p>Its own refusals: ${refusals.map((code) => markup`<code>${code}</code> `)}</p>`
}
</section>
`;
}

function fieldOf({ name, kind, description, isNeeded }: Field): Html {
  const text = isNeeded ? kind : `${kind}, optional`;
  return markup`<dt><code>${name}</code> <span class="hint">${text}</span></dt>
<dd>${description}</dd>
`;
}
