/** For answers that are the same for every caller. */
export const CACHE_ONE_MINUTE = { 'cache-control': 'public, max-age=60' } as const;
