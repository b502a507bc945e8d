import { UNIT_KINDS } from '@heliograph/metrics';
import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { DateTime, nullable } from '../common/schemas.ts';

/** `failing`: the last attempt at it failed; `waiting`: it was not tried yet. */
export const LINK_STATES = ['waiting', 'connected', 'failing'] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** A piece of hardware behind a connection, as it was found last, also while it cannot be reached. */
export const LinkUnit = Type.Object({
  kind: Type.Enum([...UNIT_KINDS]),
  model: nullable(Type.String()),
  serial_number: nullable(Type.String()),
  firmware_version: nullable(Type.String()),
  topic_prefix: Type.String({ description: 'Such as inverter_1' }),
  same_as: nullable(
    Type.String({ description: 'Prefix of the unit with the same serial number, which counts in its place' }),
  ),
  unknown_totals: Type.Array(Type.String(), {
    description:
      'Topics of totals that are unknown because this unit does not know its part, such as total/pv_power',
  }),
});
export type LinkUnit = Static<typeof LinkUnit>;

/** A value of the last poll that is withheld. */
export const DoubtfulValue = Type.Object({
  name: Type.String({ description: 'Of the metric, such as Battery power' }),
  unit: Type.String(),
  value: Type.Number({ description: 'As the hardware reported it' }),
  polls: Type.Integer({ description: 'How many polls in a row' }),
});
export type DoubtfulValue = Static<typeof DoubtfulValue>;

/** A connection to hardware, and how it does since the device was started. */
export const HardwareLink = Type.Object({
  driver: Type.String(),
  title: Type.String({ description: 'What people call it, such as Deye, SunSynk, Sol-Ark' }),
  bus: Type.String(),
  unit: nullable(Type.Integer({ description: "Null: the driver's usual one" })),
  state: Type.Enum([...LINK_STATES]),
  since: nullable(DateTime),
  error: nullable(Type.String({ description: 'Why the last attempt failed; null while connected' })),
  quality_percent: nullable(
    Type.Integer({ description: 'Answered polls of the last minute; null before the first' }),
  ),
  requests: Type.Integer({ description: 'Sent over this bus, which connections may share' }),
  answered: Type.Integer(),
  unanswered: Type.Integer(),
  dropped_frames: Type.Integer({ description: 'Damaged or late frames, and frames for other units' }),
  closes_after_answers: Type.Boolean({
    description: 'Whether the other side closes the connection after each answer: each request opens one',
  }),
  round_trip_ms: nullable(Type.Number({ description: 'How long the last answer on this bus took' })),
  poll_ms: nullable(Type.Number({ description: 'How long the last poll of everything took' })),
  last_read_at: nullable(DateTime),
  unknown_totals: Type.Array(Type.String(), {
    description:
      'Topics of totals that are unknown because the meter that this connection has a role for was never found',
  }),
  withheld_values: Type.Integer({ description: 'Values that cannot be, and were withheld' }),
  doubtful: Type.Array(DoubtfulValue),
  units: Type.Array(LinkUnit),
});
export type HardwareLink = Static<typeof HardwareLink>;

export const UplinkLink = Type.Object({
  state: Type.Enum(['offline', 'connecting', 'online']),
  proxy: nullable(Type.String({ description: "The proxy's name; null unless online" })),
  since: DateTime,
  reason: nullable(Type.String({ description: 'Why it is not online, in plain words' })),
});
export type UplinkLink = Static<typeof UplinkLink>;

export const MqttLink = Type.Object({
  state: Type.Enum(['connecting', 'connected', 'failing']),
  since: DateTime,
  reason: nullable(
    Type.String({
      description:
        'Why the last attempt failed, or what is wrong though it is connected, such as rules of the broker that drop messages',
    }),
  ),
});
export type MqttLink = Static<typeof MqttLink>;

/** `GET /api/v1/links` on a device. */
export const DeviceLinks = Type.Object({
  connections: Type.Array(HardwareLink),
  uplink: nullable(UplinkLink),
  mqtt: nullable(MqttLink),
});
export type DeviceLinks = Static<typeof DeviceLinks>;

export const linkOperations = operations('device', {
  getLinks: {
    route: 'GET /api/v1/links',
    summary: 'The connections to hardware, to the proxy and to the MQTT broker, and how they do',
    requires: 'configure',
    answers: { 200: DeviceLinks },
  },
});
