import type { ConnectionSettings } from '@heliograph/client';

/** A connection as it is being edited. */
export interface DraftConnection {
  /** Identifies a row while it moves. */
  readonly key: number;
  readonly connection: ConnectionSettings;
}

/** @param connections in the order in which their units are numbered */
export function draftOf(connections: readonly ConnectionSettings[]): readonly DraftConnection[] {
  return connections.map((connection, key) => ({ key, connection }));
}

export function withAdded(
  drafts: readonly DraftConnection[],
  connection: ConnectionSettings,
): readonly DraftConnection[] {
  const key = 1 + Math.max(-1, ...drafts.map((draft) => draft.key));
  return [...drafts, { key, connection }];
}

export function withChanged(
  drafts: readonly DraftConnection[],
  key: number,
  connection: ConnectionSettings,
): readonly DraftConnection[] {
  return drafts.map((draft) => (draft.key === key ? { key, connection } : draft));
}

export function without(drafts: readonly DraftConnection[], key: number): readonly DraftConnection[] {
  return drafts.filter((draft) => draft.key !== key);
}

/** @param by -1 towards the beginning, 1 towards the end; nothing moves beyond either */
export function withMoved(
  drafts: readonly DraftConnection[],
  key: number,
  by: -1 | 1,
): readonly DraftConnection[] {
  const from = drafts.findIndex((draft) => draft.key === key);
  const to = from + by;
  const [moved, other] = [drafts[from], drafts[to]];
  if (moved === undefined || other === undefined) return drafts;
  return drafts.map((draft, at) => (at === from ? other : at === to ? moved : draft));
}

/** Whether two lists have the same connections in the same order. */
export function isSame(
  drafts: readonly DraftConnection[],
  connections: readonly ConnectionSettings[],
): boolean {
  return (
    drafts.length === connections.length &&
    drafts.every(({ connection }, at) => textOf(connection) === textOf(connections[at]))
  );
}

function textOf(connection: ConnectionSettings | undefined): string {
  if (connection === undefined) return '';
  const { driver, bus, unit, role, options } = connection;
  const entries = Object.entries(options).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([driver, bus, unit, role, entries]);
}
