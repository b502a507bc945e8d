import type { World } from '../world.ts';

/** A page as somebody sees it. */
export interface PageCase {
  /** Names its screenshots. */
  readonly name: string;
  readonly url: (world: World) => string | Promise<string>;
  /** Who looks at it; device pages have a password of their own. */
  readonly as: 'nobody' | 'demo' | 'device';
  /** A text that is there once the page shows what it is for. */
  readonly ready: RegExp;
}
