import type { DeviceLinks, HardwareLink } from '@heliograph/contracts';
import { parseBusAddress } from '../../bus/address.ts';
import { presentAddress } from './present-configuration.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** The connections and how they do. A field that is not named here is in no bundle. */
export function presentLinks({ connections, uplink, mqtt }: DeviceLinks, pseudonyms: Pseudonyms): object {
  return {
    connections: connections.map((link) => presentLink(link, pseudonyms)),
    uplink: uplink && { state: uplink.state, since: uplink.since, reason: uplink.reason },
    mqtt: mqtt && { state: mqtt.state, since: mqtt.since, reason: mqtt.reason },
  };
}

function presentLink(link: HardwareLink, pseudonyms: Pseudonyms) {
  return {
    driver: link.driver,
    bus: presentAddress(parseBusAddress(link.bus), pseudonyms),
    unit: link.unit,
    state: link.state,
    since: link.since,
    error: link.error,
    quality_percent: link.quality_percent,
    requests: link.requests,
    answered: link.answered,
    unanswered: link.unanswered,
    dropped_frames: link.dropped_frames,
    closes_after_answers: link.closes_after_answers,
    round_trip_ms: link.round_trip_ms,
    poll_ms: link.poll_ms,
    last_read_at: link.last_read_at,
    unknown_totals: link.unknown_totals,
    withheld_values: link.withheld_values,
    doubtful: link.doubtful.map(({ name, unit, value, polls }) => ({ name, unit, value, polls })),
    units: link.units.map((unit) => ({
      kind: unit.kind,
      model: unit.model,
      serial_number: unit.serial_number === null ? null : pseudonyms.of('serial', unit.serial_number),
      firmware_version: unit.firmware_version,
      topic_prefix: unit.topic_prefix,
      same_as: unit.same_as,
      unknown_totals: unit.unknown_totals,
    })),
  };
}
