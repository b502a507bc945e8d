import type { HardwareLink, LinkUnit } from '@heliograph/contracts';
import { messageOf } from '@heliograph/kit';
import { topicOf, topicPrefix } from '@heliograph/metrics';
import { canonicalAddress } from '../../bus/address.ts';
import type { ConnectionConfig } from '../../config/connection-config.ts';
import type { ConnectionPoller } from '../../poll/links/connection-poller.ts';
import type { Connection } from '../../poll/links/connections.ts';
import type { SnapshotSource } from '../../poll/snapshot.ts';
import type { UnknownTotals } from '../../poll/totals/unknown-totals.ts';
import type { KnownUnit, KnownUnits } from '../../poll/units/known-units.ts';
import type { SameHardware } from '../../poll/units/same-hardware.ts';

/** A configured connection, and its poller. */
export interface PolledConnection {
  readonly config: ConnectionConfig;
  readonly connection: Connection;
  readonly poller: ConnectionPoller;
}

export interface LinkSources {
  readonly units: KnownUnits;
  readonly sameHardware: SameHardware;
  readonly unknownTotals: UnknownTotals;
  readonly snapshots: SnapshotSource;
}

/** How every connection to hardware does, in the order of the configuration. */
export function hardwareLinks(
  polled: readonly PolledConnection[],
  { units, sameHardware, unknownTotals, snapshots }: LinkSources,
): HardwareLink[] {
  return polled.map(({ config, connection, poller }) => {
    const { bus, title } = connection;
    const { status, link, pollMs, lastReadAt } = poller;
    const { traffic } = bus;
    return {
      driver: config.driver,
      title,
      bus: canonicalAddress(config.address),
      unit: config.unit ?? null,
      state: status.state,
      since: new Date(status.since).toISOString(),
      error: status.error === undefined ? null : linkMessage(status.error, bus.name),
      quality_percent: link.quality,
      requests: traffic.requests,
      answered: traffic.answered,
      unanswered: traffic.silent,
      dropped_frames: traffic.dropped,
      closes_after_answers: bus.closesAfterAnswers,
      round_trip_ms: rounded(bus.roundTripMs),
      poll_ms: rounded(pollMs),
      last_read_at: lastReadAt === null ? null : new Date(lastReadAt).toISOString(),
      unknown_totals: [...unknownTotals.of(config.url)],
      withheld_values: link.withheldValues,
      doubtful: poller.doubtful.map(({ quantity: { name, unit }, value, polls }) => ({
        name,
        unit,
        value,
        polls,
      })),
      units: units.of(config.url).map((known) => {
        const unit = linkUnit(known, sameHardware.ownerOf(config.url, known), snapshots);
        return { ...unit, unknown_totals: [...unknownTotals.of(unit.topic_prefix)] };
      }),
    };
  });
}

function linkUnit(
  { unit }: KnownUnit,
  sameAs: string | null,
  snapshots: SnapshotSource,
): Omit<LinkUnit, 'unknown_totals'> {
  const { kind, number, model } = unit;
  const reported = (name: string): string | null => {
    const value = snapshots.current.samples.get(topicOf(kind, number, name))?.value ?? null;
    return value === null ? null : String(value);
  };
  return {
    kind,
    model,
    serial_number: reported('Serial number'),
    firmware_version: reported('Firmware version'),
    topic_prefix: topicPrefix(kind, number),
    same_as: sameAs,
  };
}

/** To a tenth: finer digits carry no information. */
function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}

/** Messages for Node's network errors, for people who look for a cable. */
const MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it is there, and refuses the connection: is the port right?',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  EHOSTUNREACH: 'there is nothing at this address',
  EHOSTDOWN: 'there is nothing at this address',
  ENETUNREACH: 'there is no network that leads to this address',
  ETIMEDOUT: 'nothing answers at this address',
  ENOTFOUND: 'nothing on the network has this name',
  EAI_AGAIN: 'the name cannot be looked up: does the network work?',
};

/** Causes of causes; a chain is never longer, unless it is a circle. */
const MAX_DEPTH = 8;

/**
 * The reason why hardware or a server cannot be reached, for people.
 *
 * @param place a prefix of the message that the reader knows already
 */
function linkMessage(error: unknown, place: string): string {
  let cause = error;
  for (let depth = 0; depth < MAX_DEPTH && cause instanceof Error; depth++) {
    const message = 'code' in cause ? MESSAGES[String(cause.code)] : undefined;
    if (message !== undefined) return message;
    cause = cause.cause;
  }
  const message = messageOf(error);
  return message.startsWith(`${place}: `) ? message.slice(place.length + 2) : message;
}
