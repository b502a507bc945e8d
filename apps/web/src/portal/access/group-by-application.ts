import { groupBy } from '@heliograph/kit/group-by';

interface WithApplication {
  readonly application: {
    readonly name: string;
    readonly kind: 'application' | 'agent';
    readonly client_id: string | null;
  };
  readonly organization: { readonly name: string } | null;
}

/** An application, or an agent, with its connections. */
export interface ApplicationConnections<C extends WithApplication> {
  /** Stable for as long as the application is connected. */
  readonly key: string;
  readonly name: string;
  readonly kind: C['application']['kind'];
  /** The organization that runs the application; null for an agent. */
  readonly organization: string | null;
  readonly connections: readonly C[];
}

/** Groups keep the order of the connections. Agents have no id: those of one name are one group. */
export function groupByApplication<C extends WithApplication>(
  connections: readonly C[],
): ApplicationConnections<C>[] {
  const groups = groupBy(
    connections,
    ({ application: { client_id: id, kind, name } }) => id ?? `${kind} ${name}`,
  );
  return [...groups].flatMap(([key, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const { name, kind } = first.application;
    return [{ key, name, kind, organization: first.organization?.name ?? null, connections: all }];
  });
}
