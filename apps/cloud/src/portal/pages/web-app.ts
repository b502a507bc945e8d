import { readFileSync } from 'node:fs';
import type { Organization } from '@heliograph/contracts';
import { serveContent } from '@heliograph/http/serve-content';
import { SERVICE_WORKER, serveIcons } from '@heliograph/pages/app-files';
import { SERVICE_NAME } from '../../common/config/env.ts';
import type { App } from '../../http/app-type.ts';

/** Colours of the launch screen and of the bar above the app where an organization has none: of tokens.css. */
const GROUND = '#1f2530';
const PRIMARY = '#2c5aa0';

/** How long browsers may reuse what depends on the brand, in seconds. */
const MAX_AGE_S = 300;

/** How much of the width of its icon a logo has: launchers may cut everything outside the inner 80 % off. */
const LOGO_SHARE = 0.6;

export interface WebAppOptions {
  /** The organization whose pages are at a host. */
  readonly homeAt: (host: string) => Promise<Organization | null>;
  readonly findLogo: (
    organizationId: number,
    digest: string,
  ) => Promise<{ readonly mediaType: string; readonly bytes: Buffer } | undefined>;
  /** Whether browsers keep the service worker; otherwise they get one that ends itself. */
  readonly hasServiceWorker: boolean;
}

/** The manifest, the icons and the service worker by which a phone takes the portal for an app. */
export function webAppRoutes(app: App, { homeAt, findLogo, hasServiceWorker }: WebAppOptions): void {
  serveIcons(app);

  app.get('/app.webmanifest', async ({ host }, reply) =>
    reply
      .headers({
        'content-type': 'application/manifest+json; charset=utf-8',
        'cache-control': `public, max-age=${MAX_AGE_S}`,
        'x-content-type-options': 'nosniff',
      })
      .send(JSON.stringify(manifestOf(await homeAt(host)))),
  );

  app.get('/app-icon.svg', async ({ host }, reply) => {
    const home = await homeAt(host);
    const digest = home === null ? undefined : digestOf(home);
    const logo = home === null || digest === undefined ? undefined : await findLogo(home.id, digest);
    if (logo === undefined) return reply.redirect('/icons/maskable-512.png', 302);
    return reply
      .headers({
        'content-type': 'image/svg+xml',
        'cache-control': `public, max-age=${MAX_AGE_S}`,
        'content-security-policy': "default-src 'none'; img-src data:; sandbox",
        'x-content-type-options': 'nosniff',
      })
      .send(iconOf(logo.mediaType, logo.bytes));
  });

  serveContent(app, '/service-worker.js', {
    type: 'text/javascript; charset=utf-8',
    headers: {
      // A browser asks at each visit whether there is a newer one.
      'cache-control': 'no-cache',
      // The policy of the worker itself: it calls its own origin, and nothing else.
      'content-security-policy': "default-src 'none'; connect-src 'self'",
    },
    make: () =>
      readFileSync(hasServiceWorker ? SERVICE_WORKER : `${import.meta.dirname}/end-service-worker.js`),
  });
}

/** https://www.w3.org/TR/appmanifest/ */
function manifestOf(home: Organization | null) {
  const name = home?.name ?? SERVICE_NAME;
  return {
    id: '/',
    name,
    short_name: name,
    start_url: '/sites',
    scope: '/',
    display: 'standalone',
    background_color: GROUND,
    theme_color: home?.color1 ?? PRIMARY,
    icons: home === null || home.logo === null ? OWN_ICONS : BRAND_ICONS,
  };
}

const OWN_ICONS = ['app', 'maskable'].flatMap((name) =>
  [192, 512].map((size) => ({
    src: `/icons/${name}-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: name === 'app' ? 'any' : 'maskable',
  })),
);

const BRAND_ICONS = [
  { src: '/app-icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  { src: '/app-icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'maskable' },
];

/** The last part of a logo's address. */
function digestOf({ logo }: Organization): string | undefined {
  return logo?.split('/').at(-1);
}

/** A logo of any shape in the middle of a square, on the ground that headers of pages have. */
function iconOf(mediaType: string, bytes: Buffer): string {
  const side = 512;
  const width = side * LOGO_SHARE;
  const at = (side - width) / 2;
  const logo = `data:${mediaType};base64,${bytes.toString('base64')}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${side}" height="${side}">`,
    `<rect width="${side}" height="${side}" fill="#ffffff"/>`,
    `<image x="${at}" y="${at}" width="${width}" height="${width}" href="${logo}"/></svg>`,
  ].join('');
}
