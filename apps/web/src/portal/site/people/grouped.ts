import type { SiteConnections } from '@heliograph/client';

export type SiteConnection = SiteConnections['connections'][number];

/** What several people allowed one application for a site. */
export interface ConnectedApplication {
  readonly key: string;
  readonly name: string;
  readonly kind: SiteConnection['application']['kind'];
  /** Whose application it is; null for an agent. */
  readonly organization: string | null;
  readonly connections: readonly SiteConnection[];
}

/** Agents have no identifier that anybody knows: those of one name are shown as one. */
export function groupedByApplication(connections: readonly SiteConnection[]): ConnectedApplication[] {
  const groups = Map.groupBy(
    connections,
    ({ application: { client_id, kind, name } }) => client_id ?? `${kind} ${name}`,
  );
  return [...groups].flatMap(([key, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const { name, kind } = first.application;
    return [{ key, name, kind, organization: first.organization?.name ?? null, connections: all }];
  });
}
