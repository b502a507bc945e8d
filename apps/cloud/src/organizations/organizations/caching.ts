/** For answers that are the same for every caller. */
export const CACHE_ONE_MINUTE = { 'cache-control': 'public, max-age=60' } as const;

/** For content that never changes at its address. */
export const CACHE_IMMUTABLE = { 'cache-control': 'public, max-age=31536000, immutable' } as const;
