import type { KoaContextWithOIDC } from 'oidc-provider';

/**
 * Forbids frames and resources. The page that submits an answer to an application as a form (`response_mode=form_post`)
 * has a script, whose digest the server adds.
 */
export async function guardPages(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  ctx.set('content-security-policy', `default-src 'none'; script-src; ${NO_FRAMES}`);
  ctx.set('x-content-type-options', 'nosniff');
  ctx.set('referrer-policy', 'no-referrer');
  await next();
}

/** Directives of every page's policy. */
export const NO_FRAMES = "frame-ancestors 'none'; base-uri 'none'";
