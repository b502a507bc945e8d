import { readFile } from 'node:fs/promises';
import { createCloudClient } from '@heliograph/client';
import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { picture } from '../look/pictures.ts';

/** As phones take them. */
const TAKEN = ['IMG_0001.HEIC', 'roof.avif', 'noise.mp4'] as const;
const BRANDS = { 'IMG_0001.HEIC': 'heic', 'roof.avif': 'avif', 'noise.mp4': 'isom' } as const;
const TEN_MIB = 10 * 1024 * 1024;

const UPLOADS = /\/api\/v1\/uploads\?/;

export function describeSupport(fixture: () => Fixture): void {
  it('a message takes ten files, whatever happens to uploads on their way', async () => {
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/429/, /ERR_FAILED/] });
    const { page } = visit;
    await page.goto(`${fixture().portal}/user/tickets`);
    await page.getByRole('button', { name: 'Write to support' }).click();
    const send = page.getByRole('button', { name: 'Send' });
    const attach = page.getByRole('button', { name: 'Attach' });
    const attached = page.getByRole('button', { name: /^Remove / });
    const choose = (...names: readonly string[]) =>
      page
        .locator('input[type=file]')
        .setInputFiles(names.map((name) => ({ name, mimeType: '', buffer: Buffer.from(`${name}\n`) })));
    const showsFiles = (...names: readonly string[]) =>
      expect
        .poll(() => attached.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))))
        .toEqual(names.map((name) => `Remove ${name}`));
    await page.getByLabel('Subject').fill('Many files');
    await page.getByLabel('Message', { exact: false }).fill('Here they are.');

    // A limit ends an upload, and the files before it stay.
    await answerUpload(page, 2, (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '60' }, json: { error: 'Too many uploads' } }),
    );
    await choose('a.txt', 'b.txt', 'c.txt');
    await page.getByText('Too many attempts.', { exact: false }).waitFor();
    await showsFiles('a.txt');

    await answerUpload(page, 2, (route) => route.abort());
    await choose('b.txt', 'c.txt', 'd.txt');
    await page.getByText('The server cannot be reached.', { exact: false }).waitFor();
    await showsFiles('a.txt', 'b.txt');
    expect(await faultsInBothLooks(page)).toEqual([]);
    await picture(page, `attachments-failed-${fixture().look.name}`);

    // A file that is removed during an upload is gone, and no message leaves without the file that is on its way.
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    await answerUpload(page, 1, async (route) => {
      reached.resolve();
      await held.promise;
      await route.continue();
    });
    await choose('c.txt');
    await reached.promise;
    expect(await send.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Remove a.txt' }).click();
    await showsFiles('b.txt');
    held.resolve();
    await showsFiles('b.txt', 'c.txt');
    expect(await send.isEnabled()).toBe(true);

    await page.getByRole('button', { name: 'Remove b.txt' }).click();
    await page.getByRole('button', { name: 'Remove c.txt' }).click();
    const eleven = Array.from({ length: 11 }, (_, index) => `${index}.txt`);
    await choose(...eleven);
    await page.getByText('10.txt is one too many: a message holds at most 10 files.').waitFor();
    await showsFiles(...eleven.slice(0, 10));
    expect(await attach.isDisabled()).toBe(true);
    await send.click();
    await page.getByRole('heading', { name: 'Many files' }).waitFor();
    expect(await page.getByRole('button', { name: /^Download / }).allTextContents()).toEqual(
      eleven.slice(0, 10),
    );
  });

  it('a customer writes to support with files, reads the answer, saves its file and resolves the request', async () => {
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/422/] });
    const { page } = visit;
    const support = createCloudClient({
      url: fixture().portal,
      token: fixture().system.run.account.api_token,
    });
    await page.goto(`${fixture().portal}/user/tickets`);
    await page.getByRole('button', { name: 'Write to support' }).click();
    await page.getByLabel('Subject').fill('No sun');
    await page.getByLabel('Site').selectOption({ label: 'demo – Online' });
    await page.getByLabel('Message', { exact: false }).fill('It is <b>dark</b>.\nStill.');
    const files = page.locator('input[type=file]');
    const attach = (chosen: readonly (readonly [name: string, content: Buffer])[]) =>
      files.setInputFiles(chosen.map(([name, buffer]) => ({ name, mimeType: '', buffer })));
    const taken = TAKEN.map(
      (name) => [name, Buffer.from(`\0\0\0\x18ftyp${BRANDS[name]}\0\0\0\0`, 'latin1')] as const,
    );
    const csv = ['day.csv', Buffer.from('time,power\n')] as const;
    await attach([...taken, ['firmware.bin', Buffer.from([0, 1, 2, 3])], csv]);
    await page.getByText('firmware.bin is of a type that is not accepted.').waitFor();
    await attach([
      ['year.zip', Buffer.alloc(TEN_MIB + 1, 'PK\x03\x04')],
      ['nothing.txt', Buffer.alloc(0)],
    ]);
    await page.getByText('year.zip is larger than 10 MiB.').waitFor();
    await page.getByText('nothing.txt is empty.').waitFor();
    await page.getByRole('button', { name: 'Remove roof.avif' }).click();
    const attached = page.getByRole('button', { name: /^Remove / });
    await expect
      .poll(() => attached.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))))
      .toEqual(['Remove IMG_0001.HEIC', 'Remove noise.mp4', 'Remove day.csv']);
    expect(await faultsInBothLooks(page)).toEqual([]);
    await picture(page, `attachments-${fixture().look.name}`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'No sun' }).waitFor();
    await page.getByText('It is <b>dark</b>.').waitFor();
    await page.locator('main').getByRole('link', { name: 'demo', exact: true }).waitFor();
    await page.getByText('Online', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Download / }).allTextContents()).toEqual([
      'IMG_0001.HEIC',
      'noise.mp4',
      'day.csv',
    ]);

    const [ticket] = await support.listTickets({ q: 'no sun', limit: 1 });
    const { id = 0 } = ticket ?? {};
    const upload = await support.createUpload({ name: 'answer.txt', file: new Blob(['Wait.']) });
    await support.replyToTicket({ id, body: 'A thought of ours', internal: true });
    await support.replyToTicket({ id, body: 'Wait for the morning.', upload_ids: [upload.id] });
    await page.reload();
    await page.getByText('Wait for the morning.').waitFor();
    await page.getByText('Answered').waitFor();
    expect(await page.getByText('A thought of ours').count()).toBe(0);

    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download answer.txt' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('answer.txt');
    expect(await readFile(await saved.path(), 'utf8')).toBe('Wait.');

    await page.getByRole('button', { name: 'It works now' }).click();
    await page.getByText('This request is resolved. A reply opens it again.').waitFor();
    await page.getByRole('link', { name: 'All requests' }).click();
    const list = page.getByRole('list', { name: 'Your requests' });
    await list.getByText('Resolved').waitFor();
    await list.getByText('Online', { exact: true }).waitFor();
  });
}

/** @param nth from now on, such as 2 */
async function answerUpload(page: Page, nth: number, answer: (route: Route) => Promise<void>): Promise<void> {
  let count = 0;
  await page.unroute(UPLOADS);
  await page.route(UPLOADS, (route) => {
    count += 1;
    return count === nth ? answer(route) : route.continue();
  });
}
