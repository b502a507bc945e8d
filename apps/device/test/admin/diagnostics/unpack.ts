import { strFromU8, unzipSync } from 'fflate';

/** The files of a bundle, by their names. @throws when it is no ZIP */
export async function unpack(answer: Response): Promise<Readonly<Record<string, string>>> {
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
}
