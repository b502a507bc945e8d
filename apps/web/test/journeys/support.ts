import { readFile } from 'node:fs/promises';
import { createCloudClient } from '@heliograph/client';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';

export function describeSupport(fixture: () => Fixture): void {
  it('a customer writes to support with a file, reads the answer, saves its file and resolves the request', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    const support = createCloudClient({
      url: fixture().portal,
      token: fixture().system.run.account.api_token,
    });
    await page.goto(`${fixture().portal}/user/tickets`);
    await page.getByRole('button', { name: 'Write to support' }).click();
    await page.getByLabel('Subject').fill('No sun');
    await page.getByLabel('Site').selectOption({ label: 'demo' });
    await page.getByLabel('Message', { exact: false }).fill('It is <b>dark</b>.\nStill.');
    await page.locator('input[type=file]').setInputFiles({
      name: 'day.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('time,power\n'),
    });
    await page.getByText('day.csv').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'No sun' }).waitFor();
    await page.getByText('It is <b>dark</b>.').waitFor();

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
    await page.getByRole('list', { name: 'Your requests' }).getByText('Resolved').waitFor();
  });
}
