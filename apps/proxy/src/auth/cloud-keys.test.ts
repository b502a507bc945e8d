import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@heliograph/kit';
import { generateSigningKey, type SigningKey } from '@heliograph/wire';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeServer, listenLocally } from '../../test/local-server.ts';
import { CloudKeys } from './cloud-keys.ts';

/** A little more than the shortest time between two fetches. */
const REFRESH_INTERVAL_MS = 1_050;

let published: SigningKey[];
let status: number;
let answers: number[];
let keys: CloudKeys;
let url: string;
let stop: () => Promise<void>;
beforeEach(async () => {
  published = [await generateSigningKey()];
  status = 200;
  answers = [];
  const server = createServer((req, res) => {
    const etag = `"${published.map(({ kid }) => kid).join('.')}"`;
    const known = req.headers['if-none-match'] === etag;
    res.writeHead(known && status === 200 ? 304 : status, { etag });
    res.end(res.statusCode === 200 ? JSON.stringify({ keys: published.map((key) => key.publicJwk) }) : '');
    answers.push(res.statusCode);
  });
  url = `http://127.0.0.1:${await listenLocally(server)}`;
  keys = new CloudKeys(url, silentLogger, { refreshIntervalMs: REFRESH_INTERVAL_MS });
  stop = async () => {
    keys.stop();
    await closeServer(server);
  };
});
afterEach(() => stop());

it('CloudKeys refreshes within seconds, accepts 304 and drops a withdrawn key', async () => {
  const [old] = published;
  const next = await generateSigningKey();
  keys.start();
  await expect.poll(() => answers).toEqual([200, 304]);
  const knows = () => [old, next].map((key) => keys.keys.has(key?.kid ?? ''));
  expect(knows()).toEqual([true, false]);
  published = [next];
  await expect.poll(knows).toEqual([false, true]);
  expect(answers.at(-1)).toBe(200);
});

it('CloudKeys keeps its keys while the cloud fails', async () => {
  const [key] = published;
  await keys.keys.refresh();
  expect(keys.fetched).toBe(true);
  status = 500;
  keys.start();
  await expect.poll(() => answers).toContain(500);
  expect(keys.keys.has(key?.kid ?? '')).toBe(true);
});

it('CloudKeys reads stored keys at a start without the cloud', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kept-keys-'));
  const file = join(folder.path, 'keys.json');
  const [key] = published;
  const first = new CloudKeys('http://127.0.0.1:1', silentLogger, { file });
  expect(first.fetched).toBe(false);
  await new CloudKeys(url, silentLogger, { file }).keys.refresh();
  const next = new CloudKeys('http://127.0.0.1:1', silentLogger, { file });
  expect(next.fetched).toBe(true);
  expect(await next.keys.find(key?.kid ?? '')).toBeDefined();
  await writeFile(file, '{"keys":');
  expect(new CloudKeys('http://127.0.0.1:1', silentLogger, { file }).fetched).toBe(false);
});
