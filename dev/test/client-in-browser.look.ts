import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, launchBrowser } from '../src/testing/browser.ts';
import { startTestSystem, type TestSystem } from '../src/testing/test-system.ts';
import { examplesOf, Installation, runVite } from './client-package.ts';

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

/** The client as it is packed, in pages of another origin. */
describe('the installed client in a browser', () => {
  let system: TestSystem;
  let installation: Installation;
  let browser: Browser;
  beforeAll(async () => {
    [system, installation, browser] = await Promise.all([
      startTestSystem(),
      Installation.create(),
      launchBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await installation?.[Symbol.asyncDispose]();
    await system?.stop();
  });

  /** Opens a page of a folder, and waits until it shows a live value. */
  async function expectLiveValue(folder: string, file: string): Promise<void> {
    const server = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://page');
      const content = await readFile(join(folder, pathname)).catch(() => undefined);
      const type = TYPES[extname(pathname)] ?? 'application/octet-stream';
      response.writeHead(content === undefined ? 404 : 200, { 'content-type': type }).end(content);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const page = await browser.newPage();
    try {
      const { cloud, account } = system.run;
      const credentials = new URLSearchParams({ url: cloud.url, token: account.api_token });
      const { port } = server.address() as AddressInfo;
      await page.goto(`http://127.0.0.1:${port}/${file}#${credentials}`);
      await expect.poll(() => page.locator('li').textContent()).toMatch(/^demo: [1-9]\d* W$/);
    } finally {
      await page.close();
      server.close();
      server.closeAllConnections();
    }
  }

  it('the page of the README shows live values', async () => {
    await expectLiveValue(installation.folder, 'page.html');
  });

  it('a page that Vite has bundled shows live values', async () => {
    const { folder } = installation;
    const [{ text } = { text: '' }] = examplesOf('html');
    const page = text.replace('./node_modules/@heliograph/client/index.js', '@heliograph/client');
    await writeFile(join(folder, 'index.html'), page);
    await runVite(folder);
    expect(await readFile(join(folder, 'dist/index.html'), 'utf8')).not.toContain('@heliograph');
    await expectLiveValue(join(folder, 'dist'), 'index.html');
  });
});
