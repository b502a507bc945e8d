import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchBrowser } from '@heliograph/dev/testing/browser';

/** `npm run icons`: the icons of the app on a phone, made from the logo of the pages. */
const WEB = join(import.meta.dirname, '..');
const LOGO = join(WEB, 'src/shared/brand/icon.svg');
const ICONS = join(WEB, 'public/icons');

/** Of the launch screen of `apps/cloud/src/portal/pages/web-app.ts`. */
const GROUND = '#1f2530';

interface Icon {
  readonly name: string;
  readonly size: number;
  /** How much of the width the logo has; a launcher may cut everything outside the inner 80 % off. */
  readonly share: number;
  readonly ground: string;
}

const LIST: readonly Icon[] = [
  { name: 'app-192', size: 192, share: 0.94, ground: 'transparent' },
  { name: 'app-512', size: 512, share: 0.94, ground: 'transparent' },
  { name: 'maskable-192', size: 192, share: 0.6, ground: GROUND },
  { name: 'maskable-512', size: 512, share: 0.6, ground: GROUND },
  // iOS shows no transparency.
  { name: 'apple-touch-180', size: 180, share: 0.76, ground: GROUND },
  // Android shows the shape alone, in white.
  { name: 'badge-96', size: 96, share: 0.94, ground: 'transparent' },
];

const logo = await readFile(LOGO, 'utf8');
await mkdir(ICONS, { recursive: true });
const browser = await launchBrowser();
try {
  for (const { name, size, share, ground } of LIST) {
    const viewport = { width: size, height: size };
    const page = await browser.newPage({ viewport });
    const margin = `${((1 - share) / 2) * 100}%`;
    await page.setContent(
      `<body style="margin:0;background:${ground}"><div style="position:absolute;inset:${margin}">${logo}</div></body>`,
    );
    const png = await page.screenshot({ omitBackground: true });
    await writeFile(join(ICONS, `${name}.png`), png);
    await page.close();
    console.log(`${name}.png: ${png.length} bytes`);
  }
} finally {
  await browser.close();
}
