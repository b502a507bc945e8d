import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveContent } from './serve-content.ts';

const TEXT = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, name: `Site ${id}` })));

let made = 0;
const app = fastify();
let url: string;
beforeAll(async () => {
  const make = () => {
    made += 1;
    return TEXT;
  };
  serveContent(app, '/document', { type: 'application/json', headers: { 'x-frame-options': 'DENY' }, make });
  serveContent(app, '/tiny', { type: 'text/plain', make: () => 'ok' });
  serveContent(app, '/variants', {
    type: 'text/plain',
    variantOf: ({ headers }) => headers['x-variant']?.toString() ?? '',
    make: (variant) => `${randomUUID()} ${variant}`,
  });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

/** Asks for the document; `fetch` unpacks the answer. */
async function read(headers: Record<string, string>, path = '/document') {
  const answer = await fetch(url + path, { headers });
  const [encoding, etag] = ['content-encoding', 'etag'].map((name) => answer.headers.get(name));
  return { answer, status: answer.status, text: await answer.text(), encoding, etag: etag ?? '' };
}

describe('content that remains the same', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['identity', null],
    ['gzip;q=0', null],
    ['zstd', null],
  ])('a client that accepts %s receives the encoding %s', async (accepted, encoding) => {
    const got = await read({ 'accept-encoding': accepted });
    expect(got).toMatchObject({ status: 200, text: TEXT, encoding });
    expect(Object.fromEntries(got.answer.headers)).toMatchObject({
      vary: 'accept-encoding',
      'cache-control': 'public, max-age=300',
      'content-type': 'application/json',
      'x-frame-options': 'DENY',
    });
  });

  it('compressed content is a fraction of the size', async () => {
    const { rawPayload } = await app.inject({ url: '/document', headers: { 'accept-encoding': 'gzip' } });
    expect(rawPayload.length).toBeLessThan(TEXT.length / 5);
    expect(gunzipSync(rawPayload).toString()).toBe(TEXT);
  });

  it('content that does not become smaller is sent as it is', async () => {
    expect(await read({ 'accept-encoding': 'br' }, '/tiny')).toMatchObject({ text: 'ok', encoding: null });
  });

  it('each variant is made once, and the oldest of many is made again', async () => {
    const variant = async (name: string) => (await read({ 'x-variant': name }, '/variants')).text;
    const first = await variant('a');
    expect(first).toMatch(/ a$/);
    expect(await variant('a')).toBe(first);
    for (const name of 'bcdefghi') expect(await variant(name)).toMatch(new RegExp(` ${name}$`));
    expect(await variant('a')).not.toBe(first);
  });

  it('each encoding has a strong tag of its own, which stays the same', async () => {
    const accepted = ['br', 'gzip', 'identity', 'br', 'gzip', 'identity'];
    const tags = await Promise.all(
      accepted.map(async (one) => (await read({ 'accept-encoding': one })).etag),
    );
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
    expect(new Set(tags).size).toBe(3);
    expect(tags.slice(3)).toEqual(tags.slice(0, 3));
  });

  it.each<[string, (etag: string) => string]>([
    ['its tag', (etag) => etag],
    ['its tag as a weak one', (etag) => `W/${etag}`],
    ['several tags', (etag) => `"a", ${etag}`],
    ['any tag', () => '*'],
  ])('a client that has the content sends %s and receives 304 without the content', async (_what, tagOf) => {
    const { etag } = await read({ 'accept-encoding': 'gzip' });
    const again = await read({ 'accept-encoding': 'gzip', 'if-none-match': tagOf(etag) });
    expect(again).toMatchObject({ status: 304, text: '', etag });
    expect(again.answer.headers.get('vary')).toBe('accept-encoding');
  });

  it('a client that has other content receives the whole', async () => {
    expect(await read({ 'if-none-match': '"other"' })).toMatchObject({ status: 200, text: TEXT });
  });

  it('the content is made once', async () => {
    await Promise.all([read({}), read({ 'accept-encoding': 'br' })]);
    expect(made).toBe(1);
  });
});
