import type { Connection } from '@heliograph/client';

/** A third party with all that it was allowed. */
export interface ConnectedApplication {
  /** The same for as long as it is there. */
  readonly key: string;
  readonly name: string;
  readonly kind: Connection['application']['kind'];
  /** Whose it is; null for an agent. */
  readonly organization: string | null;
  /** The newest first. */
  readonly connections: readonly Connection[];
}

/**
 * Connections by whom they are with, in the order in which each was last allowed something. Agents have no id: those
 * of one name are shown together.
 */
export function connectedApplications(connections: readonly Connection[]): readonly ConnectedApplication[] {
  const groups = Map.groupBy(
    connections,
    ({ application: { client_id: id, kind, name } }) => id ?? `${kind} ${name}`,
  );
  return [...groups].flatMap(([key, [first, ...others]]) => {
    if (first === undefined) return [];
    const { application, organization } = first;
    const { name, kind } = application;
    return [{ key, name, kind, organization: organization?.name ?? null, connections: [first, ...others] }];
  });
}
