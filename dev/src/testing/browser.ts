import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

export type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

const run = promisify(execFile);

/** Outlives a run of the tests, unlike their folder for temporary files. */
const CACHE = join(import.meta.dirname, '../../../../node_modules/.cache');

/** The browser's package unpacks into the folder for temporary files, so it is given one of its own. */
const UNPACK = `
  const { default: chromium } = await import('@sparticuz/chromium');
  await chromium.executablePath();
`;

/**
 * Starts a headless Chromium as it comes from npm, with nothing to install by hand; where that one does not run,
 * CHROMIUM_PATH names another.
 *
 * Its package suggests arguments that switch off what tests are about: the same-origin policy among them. None
 * of those is used. Without a sandbox it runs as root and in containers; it opens only pages of the tests.
 */
export async function launchBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  const { CHROMIUM_PATH: executablePath } = process.env;
  if (executablePath !== undefined) return chromium.launch({ executablePath, args });
  const folder = await unpackedBrowser();
  const env = { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  return chromium.launch({ executablePath: join(folder, 'chromium'), args, env });
}

/** Unpacks the browser once for an account of this machine, which takes seconds. @returns the folder it is in */
async function unpackedBrowser(): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const folder = join(CACHE, `heliograph-browser-${await packageVersion()}-${userInfo().uid}`);
  if (await isOurs(folder)) return folder;
  const fresh = await mkdtemp(`${folder}-`);
  try {
    const env = { ...process.env, TMPDIR: fresh, TMP: fresh, TEMP: fresh };
    await run(process.execPath, ['--input-type=module', '--eval', UNPACK], { cwd: import.meta.dirname, env });
    await writeFile(join(fresh, 'fonts.conf'), fontsIn(folder));
    await rename(fresh, folder);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    // Another process that unpacked at the same time may have been faster.
    if (!(await isOurs(folder))) throw error;
  }
  return folder;
}

async function packageVersion(): Promise<string> {
  const main = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const { version }: { version: string } = JSON.parse(
    await readFile(join(dirname(main), '../package.json'), 'utf8'),
  );
  return version;
}

/** Whether the folder is there, and made by this account: others may write to the folder above. */
async function isOurs(folder: string): Promise<boolean> {
  try {
    await access(join(folder, 'fonts.conf'));
    return (await stat(folder)).uid === userInfo().uid;
  } catch {
    return false;
  }
}

/** Fonts that the package brings, before the machine's own, which may have none. */
function fontsIn(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}
