import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether what a proxy sent is the proxy secret; takes the same time for any text. */
export function isProxySecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
