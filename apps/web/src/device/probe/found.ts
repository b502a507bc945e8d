import type { ConnectionSettings, ProbeFinding } from '@heliograph/client';

/** Identifies a finding within one probe. */
export function keyOf({ driver, bus, unit }: ProbeFinding): string {
  return `${driver} ${bus} ${unit ?? ''}`;
}

/** Whether the device has this connection already. */
export function isUsed({ connection }: ProbeFinding, connections: readonly ConnectionSettings[]): boolean {
  return connections.some(({ bus, unit }) => bus === connection.bus && unit === connection.unit);
}

/** The connections with those that were found behind them: what is numbered already keeps its number. */
export function withFound(
  connections: readonly ConnectionSettings[],
  found: readonly ProbeFinding[],
): ConnectionSettings[] {
  return [...connections, ...found.map(({ connection }) => connection)];
}
