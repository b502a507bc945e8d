import { METER_ROLES } from '@heliograph/metrics';
import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { nullable } from '../common/schemas.ts';
import { DeviceDelegation, DeviceDelegationParams } from './delegations.ts';

/** A connection to hardware, as the configuration file has it. */
export const ConnectionSettings = Type.Object({
  driver: Type.String(),
  bus: Type.String(),
  unit: nullable(Type.Integer({ description: "Null: the driver's usual one" })),
  role: nullable(
    Type.Enum([...METER_ROLES], {
      description: 'What a meter measures for the totals of the home; null: it only has topics of its own',
    }),
  ),
  options: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Further options of the driver, without secrets',
  }),
});
export type ConnectionSettings = Static<typeof ConnectionSettings>;

export const MqttSettings = Type.Object({
  url: Type.String(),
  ca_file: nullable(Type.String()),
  username: nullable(Type.String()),
  has_password: Type.Boolean({ description: 'The password itself never leaves the device' }),
  allow_writes: Type.Boolean(),
  home_assistant: Type.Boolean(),
  topic_prefix: Type.String(),
  discovery_prefix: Type.String(),
});
export type MqttSettings = Static<typeof MqttSettings>;

/** An option of a driver. */
export const DriverOption = Type.Object({
  name: Type.String(),
  description: nullable(Type.String()),
  type: Type.Enum(['choice', 'number', 'boolean', 'text', 'secret'], {
    description: 'A secret can be set, and is never answered',
  }),
  choices: Type.Array(Type.Union([Type.String(), Type.Number()]), {
    description: 'Of a choice; empty otherwise',
  }),
});
export type DriverOption = Static<typeof DriverOption>;

/** A driver that there is. */
export const DriverDescription = Type.Object({
  name: Type.String(),
  title: Type.String({ description: 'What people call it, such as Deye, SunSynk, Sol-Ark' }),
  transports: Type.Array(Type.String(), {
    description: 'What its address may begin with, such as modbus-tcp',
  }),
  has_units: Type.Boolean({ description: 'False where a connection must name no unit' }),
  usual_units: Type.Array(Type.Integer(), {
    description: 'Further unit ids that makers ship it with',
  }),
  baud_rate: nullable(
    Type.Integer({ description: 'Of a serial port, where the address says none; null: it is never on one' }),
  ),
  reads_meters: Type.Boolean({ description: 'Whether a connection may give a meter a role' }),
  options: Type.Array(DriverOption),
});
export type DriverDescription = Static<typeof DriverDescription>;

/** A port of the machine that hardware may be plugged into. */
export const MachinePort = Type.Object({
  bus: Type.String({ description: 'Its address, such as modbus-rtu:///dev/ttyUSB0' }),
  in_use_by: nullable(Type.String({ description: 'The driver by which this device uses it itself' })),
});
export type MachinePort = Static<typeof MachinePort>;

/** `GET /api/v1/configuration` on a device: its configuration file, completed with the defaults. */
export const DeviceConfiguration = Type.Object({
  poll_interval_s: Type.Number(),
  time_zone: nullable(Type.String({ description: "IANA name; null: the machine's own" })),
  machine_time_zone: Type.String(),
  energy_period: Type.Enum(['daily', 'weekly', 'monthly']),
  setting_writes_per_day: Type.Integer(),
  history: Type.Object({ max_size_mb: Type.Integer() }),
  mdns: Type.Boolean(),
  region: nullable(Type.String({ description: 'Null: the cloud chooses' })),
  connections: Type.Array(ConnectionSettings),
  mqtt: nullable(MqttSettings),
  delegations: Type.Array(DeviceDelegation, {
    description: 'Parts of it that let others write settings of the hardware',
  }),
  drivers: Type.Array(DriverDescription),
  ports: Type.Array(MachinePort),
  problem: nullable(
    Type.String({
      description: 'Why the last change was taken back, or why the file as it is now cannot be used',
    }),
  ),
  source: Type.Enum(['file', 'last_working', 'nothing'], {
    description:
      'Source of the values: the file; the last one that worked, while the file cannot be used; or nothing, where none has worked',
  }),
  taking_effect: Type.Boolean({
    description: 'Whether the file differs from the running configuration: the device restarts in a moment',
  }),
});
export type DeviceConfiguration = Static<typeof DeviceConfiguration>;

const Settable = <T extends Parameters<typeof nullable>[0]>(schema: T) => Type.Optional(nullable(schema));

/** A connection of a change. What is left out stays as it is where the connection is there already. */
export const ConnectionChange = Type.Object(
  {
    driver: Type.String({ maxLength: 64 }),
    bus: Type.String({ maxLength: 512 }),
    unit: Settable(Type.Integer({ description: "Null: the driver's usual one" })),
    role: Settable(Type.Enum([...METER_ROLES])),
    options: Settable(
      Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
        description: 'A secret that is left out stays where the address is the same; null removes it',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ConnectionChange = Static<typeof ConnectionChange>;

const MqttChange = Type.Object(
  {
    url: Type.Optional(Type.String({ maxLength: 512 })),
    ca_file: Settable(Type.String({ maxLength: 1024 })),
    username: Settable(Type.String({ maxLength: 256 })),
    password: Settable(
      Type.String({ maxLength: 1024, description: 'Left out: stays; but another broker is not given it' }),
    ),
    allow_writes: Settable(Type.Boolean()),
    home_assistant: Settable(Type.Boolean()),
    topic_prefix: Settable(Type.String({ maxLength: 256 })),
    discovery_prefix: Settable(Type.String({ maxLength: 256 })),
  },
  { additionalProperties: false },
);

/** `PATCH /api/v1/configuration` on a device. Left out: stays; null: what holds without a word of it. */
export const DeviceConfigurationChange = Type.Object(
  {
    poll_interval_s: Settable(Type.Number()),
    time_zone: Settable(Type.String({ maxLength: 128 })),
    energy_period: Settable(Type.String({ maxLength: 16 })),
    setting_writes_per_day: Settable(Type.Integer()),
    history: Settable(
      Type.Object({ max_size_mb: Settable(Type.Integer()) }, { additionalProperties: false }),
    ),
    mdns: Settable(Type.Boolean()),
    region: Settable(Type.String({ maxLength: 64 })),
    connections: Type.Optional(Type.Array(ConnectionChange, { maxItems: 100 })),
    mqtt: Settable(MqttChange),
  },
  { additionalProperties: false },
);
export type DeviceConfigurationChange = Static<typeof DeviceConfigurationChange>;

export const configurationOperations = operations('device', {
  getConfiguration: {
    route: 'GET /api/v1/configuration',
    summary: 'The configuration file, completed with the defaults',
    requires: 'configure',
    answers: { 200: DeviceConfiguration },
  },

  changeConfiguration: {
    route: 'PATCH /api/v1/configuration',
    summary: 'Changes what is named and leaves the rest as it is',
    description: 'It takes effect within seconds, in which the device does not answer.',
    requires: 'configure',
    body: DeviceConfigurationChange,
    answers: { 200: DeviceConfiguration },
    refusals: [409, 422, 503],
  },

  keepDelegation: {
    route: 'POST /api/v1/delegations/{id}/keep',
    summary: 'Makes the caller the author of a suspended delegation, which takes effect again',
    description: 'For callers who may change settings and the configuration; no support session does this.',
    requires: 'configure',
    params: DeviceDelegationParams,
    answers: { 200: DeviceConfiguration },
    refusals: [404, 503],
  },

  endDelegation: {
    route: 'DELETE /api/v1/delegations/{id}',
    summary: 'Removes a delegation from the configuration',
    description: 'It takes effect within seconds, in which the device does not answer.',
    requires: 'configure',
    params: DeviceDelegationParams,
    answers: { 200: DeviceConfiguration },
    refusals: [404, 409, 503],
  },
});
