import type { KoaContextWithOIDC } from 'oidc-provider';

/**
 * What is answered stands in no frame and loads nothing. The page that carries an answer to an application as a form
 * (`response_mode=form_post`) has a script, whose digest the server adds.
 */
export async function guardPages(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  ctx.set('content-security-policy', `default-src 'none'; script-src; ${NO_FRAMES}`);
  ctx.set('x-content-type-options', 'nosniff');
  ctx.set('referrer-policy', 'no-referrer');
  await next();
}

/** What every page is held to. */
export const NO_FRAMES = "frame-ancestors 'none'; base-uri 'none'";
