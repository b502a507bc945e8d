import type { AccessFixture, Target } from './fixture.ts';

/** A request about the records of one case. */
export interface AccessRequest {
  /** Replace `{name}` in the path. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** Sent verbatim in place of `body`. */
  readonly raw?: string;
  readonly headers?: Record<string, string>;
}

export interface AccessOperation {
  /** Method and path as the published document has them. */
  readonly route: string;
  /** A valid request; may create the records it is about. */
  readonly request: (target: Target, fixture: AccessFixture) => AccessRequest | Promise<AccessRequest>;
}

/** A request about the organization home. */
export const homeOrganization = (_target: Target, fixture: AccessFixture): AccessRequest => ({
  params: { id: fixture.home },
});
export const emptyRequest = (): AccessRequest => ({});

let count = 0;
export const uniqueName = (): string => `name${++count}`;
