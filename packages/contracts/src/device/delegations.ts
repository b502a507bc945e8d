import { type Static, Type } from 'typebox';
import { DateTime, nullable } from '../common/schemas.ts';

/**
 * A part of a device's configuration that lets others write later: `mqtt` clients of a broker, `connection` settings of
 * a profile, `setting_writes` more writes of a setting a day than usual.
 */
export const DEVICE_DELEGATION_KINDS = ['mqtt', 'connection', 'setting_writes'] as const;
export type DeviceDelegationKind = (typeof DEVICE_DELEGATION_KINDS)[number];

/**
 * Why a delegation has no effect: `token`: the API token that made it ended; `role`: its author may not change settings
 * of the site any more; `account`: its author closes the account; `site`: the device belonged to another site then;
 * `unknown`: the device lost the record of its author.
 */
export const DEVICE_DELEGATION_SUSPENSIONS = ['token', 'role', 'account', 'site', 'unknown'] as const;
export type DeviceDelegationSuspension = (typeof DEVICE_DELEGATION_SUSPENSIONS)[number];

const Id = Type.String({ pattern: '^[A-Za-z0-9_-]{22}$', examples: ['mN4bV3xK7pQ2sT9wY1zA0c'] });

const Subject = Type.String({
  maxLength: 600,
  description: 'The broker, the connection, or the number of writes',
  examples: ['mqtt://192.168.1.5:1883'],
});

/** A delegation, as its device shows it. */
export const DeviceDelegation = Type.Object({
  id: Id,
  kind: Type.Enum([...DEVICE_DELEGATION_KINDS]),
  subject: Subject,
  author: nullable(
    Type.String({
      description:
        'local with the device password, user 12 with a site token; null: it was written in the file',
    }),
  ),
  set_at: nullable(DateTime),
  suspended: nullable(
    Type.Enum([...DEVICE_DELEGATION_SUSPENSIONS], { description: 'Why it has no effect; null: it has' }),
  ),
});
export type DeviceDelegation = Static<typeof DeviceDelegation>;

export const DeviceDelegationParams = Type.Object({ id: Id });

/** A delegation that a person made with a site token, as its device reports it to the cloud. */
export const ReportedDelegation = Type.Object({
  id: Id,
  kind: Type.Enum([...DEVICE_DELEGATION_KINDS]),
  subject: Subject,
  user_id: Type.Integer({ minimum: 1 }),
  source: nullable(
    Type.String({
      pattern: '^(token|grant):[A-Za-z0-9_-]{1,64}$',
      description: 'The credential of the site token, such as token:12',
      examples: ['token:12'],
    }),
  ),
  person: Type.Optional(
    Type.Boolean({
      description: 'Whether that is a session of a person; without it, the device has not recorded it',
    }),
  ),
  set_at: DateTime,
});
export type ReportedDelegation = Static<typeof ReportedDelegation>;

/** The cloud's decision about a reported delegation. */
export const DecidedDelegation = Type.Object({
  id: Type.String(),
  set_at: DateTime,
  suspended: nullable(
    Type.String({ description: 'token, role, account, or a reason of a newer cloud; null: it is in effect' }),
  ),
  until: nullable(Type.String({ format: 'date-time', description: 'Expiry of its API token' })),
});
export type DecidedDelegation = Static<typeof DecidedDelegation>;
