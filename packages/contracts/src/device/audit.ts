import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { DateTime, nullable } from '../common/schemas.ts';
import { SettingWritesQuery } from '../readings/setting-writes.ts';

/** Recorded actions other than writes to the hardware, which have a log of their own. */
export const DEVICE_AUDIT_ACTIONS = [
  'configuration.change',
  'configuration.revert',
  'password.set',
  'password.change',
  'probe',
  'restart',
  'password.remove',
  'backup.create',
  'backup.restore',
  'backup.cloud',
  'support.change',
  'tariffs.change',
  'alert_rules.change',
  'support.end',
  'sign_in.fail',
  'sign_in.lockout',
] as const;
export type DeviceAuditAction = (typeof DEVICE_AUDIT_ACTIONS)[number];

/** How it ended. `unknown`: it had begun when the device was stopped. */
export const DEVICE_AUDIT_OUTCOMES = ['ok', 'failed', 'found', 'not found', 'cancelled', 'unknown'] as const;
export type DeviceAuditOutcome = (typeof DEVICE_AUDIT_OUTCOMES)[number];

/** `GET /api/v1/audit` on a device: changes of its configuration, probes and failed sign-ins. */
export const DeviceAuditEntry = Type.Object({
  id: Type.Integer({ description: 'Rises with every entry' }),
  at: DateTime,
  action: Type.Enum([...DEVICE_AUDIT_ACTIONS]),
  author: Type.String({
    description:
      'local (with the device password), user and its id, support with a name and the session, device (by itself), or unknown (a failed sign-in)',
  }),
  via: Type.String({ description: 'lan, proxy or device' }),
  address: nullable(Type.String({ description: "The caller's; null: the device itself, or many together" })),
  subject: nullable(Type.String({ description: 'Where a probe looked, or why a change was taken back' })),
  changes: Type.Array(
    Type.Object({
      field: Type.String({ description: 'Dotted path in the configuration, such as mqtt.url' }),
      old_value: nullable(Type.String({ description: 'Null: it was not there, or is a secret' })),
      new_value: nullable(Type.String({ description: 'Null: it was taken out; of a secret "changed"' })),
    }),
  ),
  outcome: Type.Enum([...DEVICE_AUDIT_OUTCOMES]),
});
export type DeviceAuditEntry = Static<typeof DeviceAuditEntry>;

/** `GET /api/v1/diagnostics` on a device. */
export const DiagnosticsQuery = Type.Object({
  frames: Type.Optional(
    Type.Literal('1', {
      description: 'Adds the last requests to the hardware and its answers, byte by byte',
    }),
  ),
});
export type DiagnosticsQuery = Static<typeof DiagnosticsQuery>;

export const deviceAuditOperations = operations('device', {
  listDeviceAudit: {
    route: 'GET /api/v1/audit',
    summary: 'Changes of the configuration, probes and failed sign-ins; the newest first',
    requires: 'configure',
    query: SettingWritesQuery,
    answers: { 200: Type.Array(DeviceAuditEntry) },
  },

  getDiagnostics: {
    route: 'GET /api/v1/diagnostics',
    summary: 'Makes a diagnostic bundle, a ZIP file to look at and attach to a ticket',
    description:
      'At most 10 MiB, made from lists of allowed fields, without passwords, tokens, keys, addresses of people, or public addresses; serial numbers become pseudonyms. `manifest.json` in it says what was left out and why. The device sends it to nobody else.',
    requires: 'write',
    query: DiagnosticsQuery,
    answers: {
      200: {
        content: { 'application/zip': { schema: Type.String({ contentMediaType: 'application/zip' }) } },
      },
    },
  },
});
