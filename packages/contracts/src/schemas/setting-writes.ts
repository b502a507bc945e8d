import { type Static, Type } from 'typebox';
import { DateTime, nullable } from './common.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from './page.ts';

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

/** How a write ended. `unknown`: no answer came, or the power went; `altered`: the hardware took another value. */
export const WRITE_OUTCOMES = ['ok', 'altered', 'rejected', 'not sent', 'unknown'] as const;
export type WriteOutcome = (typeof WRITE_OUTCOMES)[number];

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
});
export type SettingWrite = Static<typeof SettingWrite>;
