import { cloudOperations } from '@heliograph/contracts/operations';
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
  /** The operation, where the name is that of one of its cases. */
  readonly of?: keyof typeof cloudOperations;
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

/** The operation of a row, by the row's name. */
export function operationOf(name: string, { of = name as keyof typeof cloudOperations }: AccessOperation) {
  return cloudOperations[of];
}
