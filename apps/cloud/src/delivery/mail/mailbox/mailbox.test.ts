import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const page = async (path: string) => {
  const answer = await fetch(cloud.url + path);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

async function put(subject: string, html = '<!doctype html><html><head></head><body>Hi</body></html>') {
  const { id } = await cloud.db
    .insertInto('mailbox_messages')
    .values({
      sent_at: new Date(cloud.clock.now()),
      recipient: 'ada@example.org',
      subject,
      text: 'Look: https://cloud.example.org/sign_in#confirm/abc\n<b>',
      html,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

describe('Mailbox', () => {
  it('the mailbox lists mails, the newest first', async () => {
    const first = await put('First & <foremost>');
    const second = await put('Second');
    const { status, headers, text } = await page('/mailbox');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain('First &amp; &lt;foremost&gt;');
    expect(text).toContain('2026-06-21 10:00:00 UTC');
    expect(text.indexOf(`/mailbox/${second}"`)).toBeGreaterThan(0);
    expect(text.indexOf(`/mailbox/${second}"`)).toBeLessThan(text.indexOf(`/mailbox/${first}"`));

    const { body } = await cloud.call<object[]>('GET /mailbox.json');
    expect(body.slice(0, 2)).toMatchObject([
      { id: second, to: 'ada@example.org', subject: 'Second', sent_at: '2026-06-21T10:00:00.137Z' },
      { id: first },
    ]);
  });

  it('the mailbox shows both forms of a mail and runs no scripts of it', async () => {
    const html = '<!doctype html><html><head></head><body onload="alert(1)"><script>alert(2)</script>';
    const { status, headers, text } = await page(`/mailbox/${await put('Hello', html)}`);
    expect(status).toBe(200);
    expect(text).toContain('<a href="https://cloud.example.org/sign_in#confirm/abc">');
    expect(text).toContain('&lt;b&gt;');
    expect(text).not.toContain('<script');
    expect(text).toMatch(/<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="/);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
  });

  it.each(['/mailbox/999999', '/mailbox/0', '/mailbox/x', '/mailbox/99999999999'])(
    'the page %s does not exist',
    async (path) => {
      expect((await page(path)).status).toBe(404);
    },
  );

  it('a page of another origin cannot read the mailbox', async () => {
    const { headers } = await cloud.call('GET /mailbox.json', {
      headers: { origin: 'https://evil.example' },
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

it('a cloud with a mail server has no mailbox', async () => {
  const from = { name: 'Sender', address: 'mail@example.org' };
  await using sending = await startTestCloud({
    mail: { kind: 'smtp', url: 'smtp://127.0.0.1:1', from },
  });
  for (const path of ['/mailbox', '/mailbox.json', '/mailbox/1']) {
    expect((await fetch(sending.url + path)).status).toBe(404);
  }
});
