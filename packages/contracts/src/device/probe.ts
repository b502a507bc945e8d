import { UNIT_KINDS } from '@heliograph/metrics';
import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { nullable } from '../common/schemas.ts';
import { ConnectionSettings } from './configuration.ts';

/** `POST /api/v1/probe` on a device: looks for hardware on all ports, or on the named one. */
export const ProbeBody = Type.Object(
  {
    bus: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
    driver: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    unit: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
  },
  { additionalProperties: false },
);
export type ProbeBody = Static<typeof ProbeBody>;

export const ProbeStarted = Type.Object({ id: Type.String() });
export type ProbeStarted = Static<typeof ProbeStarted>;

export const ProbeParams = Type.Object({ id: Type.String({ maxLength: 64 }) });
export type ProbeParams = Static<typeof ProbeParams>;

/** Hardware that answered. */
export const ProbeFinding = Type.Object({
  driver: Type.String(),
  title: Type.String({ description: 'What people call it, such as Deye, SunSynk, Sol-Ark' }),
  bus: Type.String(),
  unit: nullable(Type.Integer({ description: "Null: the driver's usual one" })),
  units: Type.Array(
    Type.Object({
      kind: Type.Enum([...UNIT_KINDS]),
      model: nullable(Type.String()),
      serial_number: nullable(
        Type.String({
          description: 'Null where the hardware reports none, and for callers outside the home',
        }),
      ),
    }),
  ),
  connection: ConnectionSettings,
});
export type ProbeFinding = Static<typeof ProbeFinding>;

/** `GET /api/v1/probe/{id}` on a device. */
export const ProbeReport = Type.Object({
  id: Type.String(),
  state: Type.Enum(['running', 'done', 'cancelled', 'failed']),
  error: nullable(Type.String({ description: 'Why it failed, in plain words' })),
  progress: Type.Object({
    tried: Type.Integer(),
    of: Type.Integer({ description: 'Grows never; what need not be tried any more counts as tried' }),
    now: nullable(Type.String({ description: 'The present attempt: a bus, driver and unit' })),
  }),
  findings: Type.Array(ProbeFinding),
  notes: Type.Array(Type.String(), { description: 'Why nothing more was found, in plain words' }),
  skipped: Type.Array(
    Type.Object({
      bus: Type.String(),
      in_use_by: Type.String({ description: 'The driver by which this device uses it itself' }),
    }),
    { description: 'What was not opened, since the device itself uses it' },
  ),
});
export type ProbeReport = Static<typeof ProbeReport>;

export const probeOperations = operations('device', {
  startProbe: {
    route: 'POST /api/v1/probe',
    summary: 'Looks for hardware on all ports, or on the named one; only reads',
    requires: 'configure',
    body: ProbeBody,
    answers: { 202: ProbeStarted },
    refusals: [409, 422],
  },

  getProbe: {
    route: 'GET /api/v1/probe/{id}',
    summary: 'How far a probe is, and what it found',
    requires: 'configure',
    params: ProbeParams,
    answers: { 200: ProbeReport },
    refusals: [404],
  },

  cancelProbe: {
    route: 'DELETE /api/v1/probe/{id}',
    summary: 'Ends a probe; the report of what it found stays',
    requires: 'configure',
    params: ProbeParams,
    answers: { 204: NoContent },
    refusals: [404],
  },
});
