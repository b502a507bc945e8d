import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../common/page.ts';
import { DateTime, ErrorBody, nullable } from '../common/schemas.ts';

const WholeNumber = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', description }));

/** `GET /api/v1/settings/log` on a device. */
export const SettingWritesQuery = Type.Object({
  limit: WholeNumber(
    `Most writes to answer, ${DEFAULT_LIMIT} when left out; more than ${MAX_LIMIT} is taken as ${MAX_LIMIT}`,
  ),
  before: WholeNumber('The id of a write: those before it; the newest when left out'),
});
export type SettingWritesQuery = Static<typeof SettingWritesQuery>;

/**
 * How a write ended. `unknown`: no answer came, or the power went; `altered`: the hardware took another value;
 * `rejected`: it did not take the value.
 */
export const WRITE_OUTCOMES = ['ok', 'altered', 'rejected', 'not sent', 'unknown'] as const;
export type WriteOutcome = (typeof WRITE_OUTCOMES)[number];

/**
 * Why a setting does not have the value that was asked for, or is not known to have it.
 *
 * - `not sent`: invalid_value, read_only, suspended, too_often, unreachable, exchanged, busy, stopping, unreadable, not_held, not_logged
 * - `rejected`: refused, unsupported, value_refused, failed, hardware_busy, no_permission, kept
 * - `altered`: altered
 * - `unknown`: no_answer, damaged_answer, not_read_back, not_in_time
 */
export const WRITE_REASONS = [
  'invalid_value',
  'read_only',
  'suspended',
  'too_often',
  'unreachable',
  'exchanged',
  'busy',
  'stopping',
  'unreadable',
  'not_held',
  'not_logged',
  'refused',
  'unsupported',
  'value_refused',
  'failed',
  'hardware_busy',
  'no_permission',
  'kept',
  'altered',
  'no_answer',
  'damaged_answer',
  'not_read_back',
  'not_in_time',
] as const;
export type WriteReason = (typeof WRITE_REASONS)[number];

/** The fields beside `error` in the refusal of a write, and beside `message` on the stream. */
export const WriteFailureFields = Type.Object({
  outcome: Type.Enum(WRITE_OUTCOMES.filter((outcome) => outcome !== 'ok')),
  reason: Type.Enum([...WRITE_REASONS]),
  value: Type.Optional(
    Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
      description: 'Of altered: the value that the hardware has in place of the requested one',
    }),
  ),
  again_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Of too_often: when the next write of the setting is possible',
    }),
  ),
  settles_by: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Until when readings are expected to show the outcome; absent where they cannot change it',
    }),
  ),
});
export type WriteFailureFields = Static<typeof WriteFailureFields>;

/** The refusal of a write. One that is no failure of the write, such as the proxy's while the device is offline, has the text alone. */
export const WriteRefusal = Type.Object({
  ...ErrorBody.properties,
  ...Type.Partial(WriteFailureFields).properties,
});

/** Something that was to be written to the hardware; what was refused before it was to be sent is not among them. */
export const SettingWrite = Type.Object({
  id: Type.Integer({ description: 'Rises with every write' }),
  at: DateTime,
  author: Type.String({
    description: 'local (with the device password), user and its id, or MQTT and its broker',
  }),
  via: Type.String({ description: 'lan, proxy or mqtt' }),
  topic: Type.String(),
  old_value: nullable(Type.String({ description: 'What it was then; null when that was unknown' })),
  new_value: Type.String(),
  outcome: Type.Enum([...WRITE_OUTCOMES]),
  reason: nullable(
    Type.Enum([...WRITE_REASONS], { description: 'Why the outcome is not ok; null when it is, or unknown' }),
  ),
  settled_at: nullable(
    Type.String({
      format: 'date-time',
      description: 'When the reading was made that corrected the outcome; null unless one did',
    }),
  ),
  pending: Type.Boolean({ description: 'Whether later readings may still correct the outcome' }),
  settles_by: nullable(
    Type.String({
      format: 'date-time',
      description: 'Until when readings are expected to do so; null unless it is pending',
    }),
  ),
  also_changed: Type.Array(
    Type.Object({ topic: Type.String(), old_value: Type.String(), new_value: Type.String() }),
    { description: 'Settings of the same unit that the hardware changed along' },
  ),
});
export type SettingWrite = Static<typeof SettingWrite>;

export const settingWriteOperations = operations('metrics', {
  listSettingWrites: {
    route: 'GET /api/v1/settings/log',
    summary: 'Settings that were written, or were to be, with their authors; the newest first',
    requires: 'write',
    query: SettingWritesQuery,
    answers: { 200: Type.Array(SettingWrite) },
  },
});
