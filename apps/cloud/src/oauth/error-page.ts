import type { Configuration } from 'oidc-provider';
import { escapeHtml } from '../common/markup/escape-html.ts';
import { NO_FRAMES } from './page-headers.ts';

const MISTAKEN = 'The application that sent you here made a mistake, or waited too long.';
const FAILED = 'Something is wrong here, and not with the application that sent you.';

/**
 * The page for an invalid request of an application that cannot be answered by redirect, because the address is not
 * verified as the application's.
 */
export const errorPage: NonNullable<Configuration['renderError']> = (
  ctx,
  { error, error_description: why },
) => {
  ctx.type = 'html';
  ctx.set('content-security-policy', `default-src 'none'; style-src 'self'; ${NO_FRAMES}`);
  ctx.body = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>This request cannot be answered · Heliograph</title>
    <link rel="stylesheet" href="/oauth/error-page.css">
  </head>
  <body>
    <main>
      <p class="name">Heliograph</p>
      <h1>This request cannot be answered</h1>
      <p>${error === 'server_error' ? FAILED : MISTAKEN} Go back to it and try again; nothing was shared.</p>
      <p class="hint">For its developers: ${escapeHtml(String(error))}${why === undefined ? '' : `: ${escapeHtml(String(why))}`}</p>
    </main>
  </body>
</html>
`;
};
