/** Of every answer to a browser's cookie: nobody keeps it, nobody guesses its type, no other site embeds it. */
export const PRIVATE = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;
