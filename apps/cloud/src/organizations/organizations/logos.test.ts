import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script>alert(1)</script></svg>';

const BROKEN =
  'must be a whole image of the type that the request says, of at most 4096 by 4096 pixels and without scripts';

let cloud: TestCloud;
let organization: number;
let owner: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  organization = await cloud.make.organization();
  owner = await cloud.make.employee(organization, 'owner');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A PNG in one shade of grey. */
function png({ width = 1, height = 1, end = true } = {}): Uint8Array<ArrayBuffer> {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Uint8Array.from(
    Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.from([0, 128]))),
      ...(end ? [chunk('IEND', Buffer.alloc(0))] : []),
    ]),
  );
}

const put = (raw: string | Uint8Array<ArrayBuffer>, type?: string, token = owner.token) =>
  cloud.call(`PUT /api/v1/organizations/${organization}/logo`, {
    token,
    raw,
    headers: type === undefined ? {} : { 'content-type': type },
  });
const shownLogo = async () => (await cloud.call(`GET /api/v1/organizations/${organization}`)).body.logo;
const fetchLogo = (init?: RequestInit) =>
  fetch(`${cloud.url}/api/v1/organizations/${organization}/logo`, init);

describe('GET /organizations/:id/logo', () => {
  it.each([
    ['image/svg+xml', bytes(SVG)],
    ['image/png', png()],
  ])('a logo of type %s is served unchanged at an immutable address', async (type, image) => {
    expect((await put(image, type)).status).toBe(204);
    const redirect = await fetchLogo({ redirect: 'manual' });
    expect(redirect.status).toBe(302);
    const address = new URL(redirect.headers.get('location') ?? '', cloud.url).href;
    expect(await shownLogo()).toBe(address);
    const answer = await fetch(address);
    expect(answer.status).toBe(200);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(image);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*; sandbox$/);
  });

  it('the address of a replaced logo redirects to the new one, that of a removed logo is answered 404', async () => {
    await put(SVG, 'image/svg+xml');
    const former = String(await shownLogo());
    await put(png(), 'image/png');
    expect((await fetch(former, { redirect: 'manual' })).headers.get('location')).toBe(
      new URL(String(await shownLogo())).pathname,
    );
    const remove = () =>
      cloud.call(`DELETE /api/v1/organizations/${organization}/logo`, { token: owner.token });
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 204]);
    expect(await shownLogo()).toBe(null);
    expect([(await fetch(former)).status, (await fetchLogo()).status]).toEqual([404, 404]);
  });

  it('a change of the logo is recorded with the digests before and after', async () => {
    await cloud.call(`DELETE /api/v1/organizations/${organization}/logo`, { token: owner.token });
    await put(SVG, 'image/svg+xml');
    await put(SVG, 'image/svg+xml');
    await put(png(), 'image/png');
    const records = await cloud.db
      .selectFrom('audit_events')
      .select(['action', 'details'])
      .where('actor_id', '=', owner.id)
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(records).toEqual([
      { action: 'organization.changed', details: { logo: { from: digest, to: digest } } },
      { action: 'organization.changed', details: { logo: { from: null, to: digest } } },
    ]);
  });
});

describe('PUT /organizations/:id/logo', () => {
  it.each<[string, string]>([
    ['with a declaration', `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n${SVG}\n`],
    [
      'with a document type',
      `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${SVG}`,
    ],
    ['with a byte order mark', `\ufeff${SVG}`],
    ['with a > in an attribute', `<svg id="a>b" xmlns='http://www.w3.org/2000/svg'></svg >`],
  ])('an SVG %s is accepted', async (_what, svg) => {
    expect((await put(svg, 'image/svg+xml; charset=utf-8')).status).toBe(204);
  });

  const corrupt = png();
  corrupt[20] = 99;
  it.each<[string, string | undefined, string | Uint8Array<ArrayBuffer>, string]>([
    ['nothing', 'image/png', '', "can't be blank"],
    ['another type', 'image/jpeg', 'x', 'must be an SVG or PNG image'],
    ['JSON', 'application/json', '{}', 'must be an SVG or PNG image'],
    ['a PNG as SVG', 'image/svg+xml', png(), BROKEN],
    ['an SVG as PNG', 'image/png', SVG, BROKEN],
    ['half a PNG', 'image/png', png({ end: false }), BROKEN],
    ['a PNG with a page behind it', 'image/png', Uint8Array.of(...png(), 60), BROKEN],
    ['a PNG with broken bytes', 'image/png', corrupt, BROKEN],
    ['a PNG larger than any screen', 'image/png', png({ width: 100_000 }), BROKEN],
    ['a page as SVG', 'image/svg+xml', '<html><svg xmlns="http://www.w3.org/2000/svg"></svg></html>', BROKEN],
    ['SVG of no namespace', 'image/svg+xml', '<svg ></svg>', BROKEN],
    ['SVG that does not end', 'image/svg+xml', SVG.replace('</svg>', ''), BROKEN],
    ['SVG with entities', 'image/svg+xml', `<!DOCTYPE svg [<!ENTITY a "b">]>${SVG}`, BROKEN],
    ['bytes that are no UTF-8', 'image/svg+xml', Uint8Array.of(...bytes(SVG), 0xff), BROKEN],
  ])('a logo that is %s is refused with 422', async (_what, type, image, message) => {
    const before = await shownLogo();
    expect(await put(image, type)).toMatchObject({ status: 422, body: { errors: { logo: [message] } } });
    expect(await shownLogo()).toBe(before);
  });

  it.each([' ', '<!-- </svg>', '</svg ', '<svg '])(
    'a quarter of a mebibyte of "%s" is refused, which takes minutes with a backtracking pattern',
    async (text) => {
      const filler = text.repeat((255 * 1024) / text.length);
      for (const image of [`<svg xmlns="http://www.w3.org/2000/svg">${filler}x`, `${filler}x`]) {
        expect((await put(image, 'image/svg+xml')).status).toBe(422);
      }
    },
  );

  it('a logo larger than 256 KiB is refused with 413', async () => {
    const large = SVG.replace('</svg>', `<!--${' '.repeat(256 * 1024)}--></svg>`);
    expect((await put(large, 'image/svg+xml')).status).toBe(413);
  });

  it('a logo is set and removed by owners and admins only', async () => {
    const member = await cloud.make.employee(organization);
    expect((await put(SVG, 'image/svg+xml', member.token)).status).toBe(403);
    expect((await put('x', 'image/svg+xml', member.token)).status).toBe(403);
    const remove = `DELETE /api/v1/organizations/${organization}/logo`;
    expect((await cloud.call(remove, { token: member.token })).status).toBe(403);
    expect((await cloud.call(remove)).status).toBe(401);
  });
});
