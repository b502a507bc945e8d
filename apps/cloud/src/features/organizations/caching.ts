/** What everybody gets the same: a client or a cache in between may keep it for a minute. */
export const CACHE_ONE_MINUTE = { 'cache-control': 'public, max-age=60' } as const;

/** What never changes at its address. */
export const CACHE_IMMUTABLE = { 'cache-control': 'public, max-age=31536000, immutable' } as const;
