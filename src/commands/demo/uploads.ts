// Stores the images and documents of the sample organization as uploads.
import { blobsOf } from "../../features/files/blobs.ts";
import { keepFile } from "../../features/files/save.ts";
import { draftOf, newPathId } from "../../features/files/blob-names.ts";
import { uploadUrl } from "../../features/files/wire.ts";
import type { Realm } from "../../realm.ts";
import { mapPicture, nightPicture, sunrisePicture } from "./pictures.ts";
import { personNamed } from "./history.ts";

const DRILL = `Restore drill
=============

1. Take a machine that has never seen our data.
2. Fetch the newest backup from the other building.
3. Read its number aloud. The other person writes it down.
4. Restore it into an empty directory.
5. Start the server, and open the page of mast 3.
6. Compare the last reading with the one on the paper.
7. Delete everything, and write the time into the calendar.
`;

interface Upload {
  readonly uploader: string;
  readonly name: string;
  readonly content_type: string;
  readonly bytes: () => Uint8Array;
}

const png = "image/png";

/** Keyed by the names in the scripts. */
const UPLOADS: Readonly<Record<string, Upload>> = {
  sunrise: {
    uploader: "Noor",
    name: "Row 12 at sunrise.png",
    content_type: png,
    bytes: sunrisePicture,
  },
  night: {
    uploader: "Noor",
    name: "Mast 3, the night.png",
    content_type: png,
    bytes: nightPicture,
  },
  map: { uploader: "Ines", name: "Hollow at mast 17.png", content_type: png, bytes: mapPicture },
  drill: {
    uploader: "Yuki",
    name: "restore-drill.txt",
    content_type: "text/plain",
    bytes: () => new TextEncoder().encode(DRILL),
  },
};

/** Returns the Markdown that displays each upload. */
export async function keepPictures(realm: Realm): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  for (const [key, { uploader, name, content_type, bytes }] of Object.entries(UPLOADS)) {
    const path_id = newPathId(name);
    await blobsOf(realm).append(draftOf(path_id), streamOf(bytes()));
    await keepFile(realm, personNamed(realm.read, uploader), { path_id, name, content_type });
    paths.set(key, `[${name}](${uploadUrl(path_id)})`);
  }
  return paths;
}

async function* streamOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
