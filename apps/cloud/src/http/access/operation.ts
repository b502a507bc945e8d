import type { Target, World } from './world.ts';

/** A request of an operation about a case's own records. */
export interface Request {
  /** What stands for `{name}` in the path. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** Instead of a body: sent as it is. */
  readonly raw?: string;
  readonly headers?: Record<string, string>;
}

export interface Operation {
  /** Method and path as the published document has them. */
  readonly route: string;
  /** A valid request; it may make what it is about. */
  readonly request: (target: Target, world: World) => Request | Promise<Request>;
}

/** About the organization home. */
export const home = (_target: Target, world: World): Request => ({ params: { id: world.home } });
/** About nothing in particular. */
export const nothing = (): Request => ({});

let count = 0;
/** A word that nothing else is called. */
export const fresh = (): string => `fresh${++count}`;
