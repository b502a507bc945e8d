import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 60 * 60 * 1000;

let cloud: TestCloud;
let organization: number;
let clerk: TestUser;
let customer: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  organization = await cloud.make.organization();
  clerk = await cloud.make.employee(organization);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  customer = await cloud.make.user({ customerOf: organization });
});

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

const upload = (raw: string | Uint8Array<ArrayBuffer>, name = 'log.txt', token = customer.token) =>
  cloud.call(`POST /api/v1/uploads?${new URLSearchParams({ name })}`, {
    token,
    raw,
    headers: { 'content-type': 'text/html' },
  });

const uploaded = async (name = 'log.txt', token = customer.token) =>
  Number((await upload('It is dark.', name, token)).body.id);

interface ShownTicket {
  readonly id: number;
  readonly messages: readonly { readonly attachments: readonly { readonly id: number }[] }[];
}

const request = (uploadIds: readonly number[], token = customer.token, subject = 'No sun') =>
  cloud.call<ShownTicket>('POST /api/v1/user/tickets', {
    token,
    body: { subject, body: 'It is dark.', upload_ids: uploadIds },
  });

const download = (path: string, token: string) =>
  fetch(`${cloud.url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });

describe('POST /uploads', () => {
  it.each([
    ['image/png', '\x89PNG\r\n\x1a\n....', 'panel.svg'],
    ['image/jpeg', '\xff\xd8\xff\xe0....', 'panel'],
    ['image/webp', 'RIFF....WEBPVP8 ', 'panel.webp'],
    ['image/heic', '\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'IMG_0001.HEIC'],
    ['image/heif', '\0\0\0\x18ftypmif1\0\0\0\0mif1heic', '照片.heif'],
    ['image/avif', '\0\0\0\x1cftypavif\0\0\0\0', 'panel.avif'],
    ['video/quicktime', '\0\0\0\x14ftypqt  \0\0\0\0', 'IMG_0002.MOV'],
    ['video/mp4', '\0\0\0\x18ftypmp42\0\0\0\0', 'film.mp4'],
    ['application/pdf', '%PDF-1.7 ...', 'bill.pdf'],
    ['application/zip', 'PK\x03\x04....', 'bundle.zip'],
    ['text/csv', 'time,power\n', 'Day.CSV'],
    ['application/json', '{}', 'site.json'],
    ['text/plain', '<script>alert(1)</script>', 'page.html'],
    ['text/plain', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'picture.svg'],
  ])('a file of type %s is known by its content', async (type, text, name) => {
    const { status, body } = await upload(bytes(text), name);
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name,
        content_type: type,
        size: text.length,
        expires_at: new Date(cloud.clock.now() + HOUR_MS).toISOString(),
      },
    ]);
  });

  it('a gzip file is taken, and a name loses its folders', async () => {
    const { body } = await upload(Uint8Array.from(gzipSync('x')), 'C:\\logs\\a/b.gz');
    expect(body).toMatchObject({ content_type: 'application/gzip', name: 'b.gz' });
  });

  it.each([
    ['a program', '\x7fELF\x02\x01\x01\x00', 'run', 'file'],
    ['bytes that are no UTF-8', '\xfe\xff\x00a', 'text.txt', 'file'],
    ['a file of another brand', '\0\0\0\x18ftypcrx \0\0\0\0', 'raw.cr3', 'file'],
    ['nothing', '', 'empty.txt', 'file'],
    ['a name of a folder alone', 'x', 'folder/', 'name'],
  ])('%s is refused with 422', async (_what, text, name, field) => {
    expect(await upload(bytes(text), name)).toMatchObject({
      status: 422,
      body: { errors: { [field]: [expect.any(String)] } },
    });
  });

  it('a file of more than 10 MiB is refused with 413, and an account uploads 100 MiB a day', async () => {
    const file = new Uint8Array(10 * MIB).fill(97);
    const tooLarge = new Uint8Array(10 * MIB + 1).fill(97);
    expect((await upload(tooLarge)).status).toBe(413);
    expect((await upload(file)).status).toBe(201);
    // Eight more files of 10 MiB, of which only the sizes count.
    await cloud.multiplyCounts(9);
    expect((await upload(file)).status).toBe(201);
    expect((await upload('x')).status).toBe(429);
  });
});

describe('an attachment', () => {
  it('an attachment is downloaded by both sides as it was, and a browser never shows it', async () => {
    const id = Number((await upload('<script>alert(1)</script>', 'Ärger "1".html')).body.id);
    const { body: ticket } = await request([id]);
    expect(ticket.messages[0]?.attachments).toEqual([
      {
        id,
        name: 'Ärger "1".html',
        content_type: 'text/plain',
        size: 25,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    for (const answer of [
      await download(`/user/tickets/${ticket.id}/attachments/${id}`, customer.token),
      await download(`/tickets/${ticket.id}/attachments/${id}`, clerk.token),
    ]) {
      expect(await answer.text()).toBe('<script>alert(1)</script>');
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': `attachment; filename="_rger _1_.html"; filename*=UTF-8''%C3%84rger%20%221%22.html`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox'),
        'cache-control': 'no-store',
      });
    }
    const read = await cloud.db
      .selectFrom('audit_events')
      .select(['actor_id', 'details'])
      .where('action', '=', 'ticket.attachment_read')
      .execute();
    expect(read).toEqual([{ actor_id: clerk.id, details: { ticket: ticket.id, name: 'Ärger "1".html' } }]);
  });

  it("a note's attachment is not there for the customer, nor is one through another ticket", async () => {
    const { body: ticket } = await request([]);
    const id = await uploaded('thoughts.txt', clerk.token);
    const body = { body: 'See', internal: true, upload_ids: [id] };
    await cloud.call(`POST /api/v1/tickets/${ticket.id}/replies`, { token: clerk.token, body });
    const path = `/tickets/${ticket.id}/attachments/${id}`;
    expect((await download(path, clerk.token)).status).toBe(200);
    expect((await download(path, customer.token)).status).toBe(404);
    expect((await download(`/user${path}`, customer.token)).status).toBe(404);
    const { body: other } = await request([], customer.token, 'Another');
    expect((await download(`/tickets/${other.id}/attachments/${id}`, clerk.token)).status).toBe(404);
  });

  it('an upload is used once, within its hour, by its own account, also by two at once', async () => {
    const id = await uploaded();
    const refused = { status: 422, body: { errors: { upload_ids: [expect.stringMatching(/uploads/)] } } };
    expect(await request([id], clerk.token)).toMatchObject(refused);
    const answers = await Promise.all([
      request([id], customer.token, 'One'),
      request([id], customer.token, 'Two'),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    const { body: own } = await cloud.call<ShownTicket[]>('GET /api/v1/user/tickets', {
      token: customer.token,
    });
    expect(own).toHaveLength(1);
    const late = await uploaded();
    cloud.clock.advance(HOUR_MS);
    expect(await request([late])).toMatchObject(refused);
  });

  it('a second click with the same upload is answered as the first', async () => {
    const id = await uploaded();
    const first = await request([id]);
    const second = await request([id]);
    expect([second.status, second.body]).toEqual([201, first.body]);
  });

  it('a message takes 25 MiB in ten files at most', async () => {
    const ids = [await uploaded(), await uploaded(), await uploaded()];
    await cloud.db
      .updateTable('ticket_attachments')
      .set({ size: 9 * MIB })
      .where('id', 'in', ids)
      .execute();
    expect(await request(ids)).toMatchObject({
      status: 422,
      body: { errors: { upload_ids: ['must not be more than 25 MiB together'] } },
    });
    expect((await request(ids.slice(1))).status).toBe(201);
    expect((await request(Array.from({ length: 11 }, (_, index) => index + 1))).status).toBe(422);
  });
});
