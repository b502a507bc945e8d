import type { Answer, Input, Operation, SitePermission } from '@heliograph/contracts';
import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import type { Caller } from '../access/caller.ts';
import type { PermittedSite } from '../access/site-access.ts';
import { callerOf } from './guards.ts';

type CloudOperations = typeof cloudOperations;

type Part = 'params' | 'query' | 'body';

/**
 * The parts of a request that an operation has, as its schemas type them, and the site in its path where the operation names
 * the permission that callers need on it.
 */
export type InputOf<Id extends keyof CloudOperations> = {
  readonly [Name in Part as Name extends keyof CloudOperations[Id] ? Name : never]: Input<
    CloudOperations[Id],
    Name
  >;
} & SiteOf<CloudOperations[Id]>;

type SiteOf<Op extends Operation> = Op extends {
  readonly permission: infer Permission extends SitePermission;
}
  ? { readonly site: PermittedSite<Permission> }
  : unknown;

type ResultOf<Op extends Operation> = [Answer<Op>] extends [null] ? Promise<void> : Promise<Answer<Op>>;

/** Serves operations by use cases of the same names, each with the platform and the request's caller and input. */
export function serveUseCases<Platform>(
  api: Api,
  platform: Platform,
  useCases: {
    readonly [Id in keyof CloudOperations]?: (
      platform: Platform,
      caller: Caller,
      input: InputOf<Id>,
    ) => ResultOf<CloudOperations[Id]>;
  },
): void {
  for (const [id, useCase] of Object.entries(useCases)) {
    const operation: Operation = cloudOperations[id as keyof CloudOperations];
    api.serve(operation, (request) =>
      (useCase as UntypedUseCase<Platform>)(platform, callerOf(request), request),
    );
  }
}

type UntypedUseCase<Platform> = (platform: Platform, caller: Caller, input: object) => Promise<unknown>;
