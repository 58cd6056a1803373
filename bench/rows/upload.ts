// Response times of others while a user uploads a large file.
import { Load, startSkein } from "../processes.ts";
import { measureAlternately, ratioOf } from "../ratio.ts";
import {
  type Account,
  deleteRequest,
  getRequest,
  sendRequest,
  uploadRequest,
} from "../requests.ts";
import { lineAtMost, type Line } from "../row.ts";
import { GENERAL, type Datasets } from "../datasets.ts";

const PEOPLE = 1_000;
const FILE_MIB = 1_024;
const ROUNDS = 5;
/** Fewer requests than fit into the duration of an upload. */
const REQUEST = 200;

export async function upload(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createCopy({ people: PEOPLE });
  const [uploader, other] = dataset.people as [Account, Account];
  using load = new Load();
  using otherLoad = new Load();
  await using skein = await startSkein(dataset.directory, {
    flags: ["--max-upload-mib", String(FILE_MIB)],
  });
  const { port } = skein;
  const newest = { anchor: "newest", num_before: 50, num_after: 0 };
  const requests = [sendRequest(other, GENERAL, "news"), getRequest(other, "/messages", newest)];
  const params = { port, requests, count: REQUEST, pause_ms: 2 };
  const quietP99 = async () => (await otherLoad.ask("send", params)).p99_ms;
  const large = uploadRequest(uploader, FILE_MIB * 1_048_576);
  const p99DuringUpload = async () => {
    let isOver = false;
    const uploaded = load.ask("upload", { port, ...large }).finally(() => (isOver = true));
    const p99_ms = await quietP99();
    if (isOver) throw new Error("the upload was over before the others had their answers");
    await uploaded;
    await removeUploads();
    return p99_ms;
  };
  const removeUploads = async () => {
    const requests = [getRequest(uploader, "/attachments")];
    const [response = ""] = await load.ask("ask", { port, requests });
    const { attachments } = JSON.parse(response) as { attachments: { id: number }[] };
    const deletions = attachments.map(({ id }) => deleteRequest(uploader, `/attachments/${id}`));
    await load.ask("ask", { port, requests: deletions });
  };
  const results = await measureAlternately(ROUNDS, p99DuringUpload, quietP99);
  const label = "others' requests while 1 GB is uploaded, against a quiet server, p99";
  return [
    lineAtMost(
      { label, goal: 2, unit: "ms" },
      ratioOf(results, (p99_ms) => p99_ms),
    ),
  ];
}
