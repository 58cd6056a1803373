// Sample requests for an operation in shell, Python and JavaScript.

export interface Operation {
  readonly method: string;
  /** Relative to the organization's URL, with parameters in braces. */
  readonly path: string;
  readonly isOpen: boolean;
  readonly isUpload: boolean;
  /** The required parameters, each with an example value. */
  readonly requiredInputs: readonly SampleInput[];
}

interface SampleInput {
  readonly name: string;
  readonly where: "path" | "query" | "form";
  /** The value as a request contains it: text or JSON. */
  readonly text: string;
}

const UPLOADED = "picture.png";

/** The URL with its path parameters and query filled in. */
function addressOf({ path, requiredInputs }: Operation): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, placeholder: string) => {
    const { text = "" } =
      requiredInputs.find(({ name, where }) => where === "path" && name === placeholder) ?? {};
    return text.split("/").map(encodeURIComponent).join("/");
  });
  const query = requiredInputs
    .filter(({ where }) => where === "query")
    .map(({ name, text }) => [name, text]);
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`;
}

const formOf = ({ requiredInputs }: Operation) =>
  requiredInputs.filter(({ where }) => where === "form");

/** `url`: that of the organization, without a trailing slash. */
export function curlSample(operation: Operation, url: string): string {
  const quoteForShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return [
    `curl -X ${operation.method} ${quoteForShell(url + addressOf(operation))}`,
    ...(operation.isOpen ? [] : ['  -u "$EMAIL:$API_KEY"']),
    ...formOf(operation).map(
      ({ name, text }) => `  --data-urlencode ${quoteForShell(`${name}=${text}`)}`,
    ),
    ...(operation.isUpload ? [`  -F ${quoteForShell(`file=@${UPLOADED}`)}`] : []),
  ].join(" \\\n");
}

export function pythonSample(operation: Operation, url: string): string {
  const form = formOf(operation);
  return [
    "import requests",
    "",
    "answer = requests.request(",
    `    ${JSON.stringify(operation.method)}, ${JSON.stringify(url + addressOf(operation))},`,
    ...(operation.isOpen ? [] : ["    auth=(email, api_key),"]),
    ...(form.length === 0 ? [] : [`    data=${JSON.stringify(asObject(form))},`]),
    ...(operation.isUpload ? [`    files={"file": open(${JSON.stringify(UPLOADED)}, "rb")},`] : []),
    ")",
    "print(answer.json())",
  ].join("\n");
}

export function javaScriptSample(operation: Operation, url: string): string {
  const { method, isOpen, isUpload } = operation;
  const form = formOf(operation);
  const body = `new URLSearchParams(${JSON.stringify(asObject(form))})`;
  return [
    ...(isUpload ? ["const body = new FormData();", 'body.set("file", picture);', ""] : []),
    `const answer = await globalThis.fetch(${JSON.stringify(url + addressOf(operation))}, {`,
    `  method: ${JSON.stringify(method)},`,
    ...(isOpen ? [] : ["  headers: { Authorization: `Basic ${btoa(`${email}:${apiKey}`)}` },"]),
    ...(isUpload ? ["  body,"] : form.length === 0 ? [] : [`  body: ${body},`]),
    "});",
    "console.log(await answer.json());",
  ].join("\n");
}

const asObject = (input: readonly SampleInput[]) =>
  Object.fromEntries(input.map(({ name, text }) => [name, text]));
