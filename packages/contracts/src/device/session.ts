import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { nullable } from '../common/schemas.ts';
import { RECOVERY_ACCESSES } from '../support/recovery-sessions.ts';

export const STORE_FAULTS = ['damaged', 'newer', 'permission', 'full', 'unreadable'] as const;

/** `GET /api/v1/session` on a device, open to anyone: what its pages must know before they show anything. */
export const DeviceSession = Type.Object({
  has_password: Type.Boolean({ description: 'False until the first password is set on its network' }),
  signed_in: Type.Boolean({ description: 'Whether the caller may read' }),
  may_write: Type.Boolean({ description: 'Whether they may also change settings' }),
  may_configure: Type.Boolean({ description: 'Whether they may also change the configuration' }),
  via: Type.Enum(['lan', 'proxy']),
  site_id: nullable(Type.Integer({ description: 'Null while the device belongs to no account' })),
  site_name: nullable(Type.String({ description: 'Null also for callers who may not read' })),
  recovery: nullable(
    Type.Object(
      {
        session_id: Type.Integer(),
        access: Type.Enum([...RECOVERY_ACCESSES]),
        expires_in: Type.Integer({ description: 'Seconds until the token expires' }),
      },
      { description: 'The support recovery session that lets the caller in' },
    ),
  ),
  store_problem: nullable(
    Type.Object(
      {
        fault: Type.Enum([...STORE_FAULTS]),
        message: Type.String({ description: 'In English, with the path of the file' }),
        has_identity: Type.Boolean({
          description: 'Whether the identity and the password are known, from identity.json',
        }),
      },
      {
        description:
          'Why the stored data cannot be used. The device serves readings then, and keeps nothing until its owner restores a backup or starts with a new store',
      },
    ),
  ),
  support_url: nullable(
    Type.String({
      description:
        'The page of the cloud about support access, for a caller whose support recovery session has ended; null for others',
    }),
  ),
});
export type DeviceSession = Static<typeof DeviceSession>;

export const OWN_PAGE_REFUSALS = ['foreign_page', 'public_name', 'not_local'] as const;

/** Refusal of an operation for the device's own pages, on the network that the device is on. */
export const OwnPageRefusal = Type.Object({
  error: Type.String(),
  code: Type.Optional(
    Type.Enum([...OWN_PAGE_REFUSALS], {
      description:
        '`foreign_page`: the origin of the page is not the requested host, also behind a reverse proxy that changes `Host`; `public_name`: the device was opened by a name that may be in the public DNS; `not_local`: the first password is set from the local network alone. Absent through the proxy',
    }),
  ),
});
export type OwnPageRefusal = Static<typeof OwnPageRefusal>;

const Password = Type.String({ maxLength: 1000 });

/** `POST /api/v1/session` on a device: signs in with the device password. */
export const DeviceSignInBody = Type.Object({ password: Password });
export type DeviceSignInBody = Static<typeof DeviceSignInBody>;

/** `POST /api/v1/password` on a device: its first password. */
export const DeviceFirstPasswordBody = Type.Object({ password: Password });
export type DeviceFirstPasswordBody = Static<typeof DeviceFirstPasswordBody>;

/** `PUT /api/v1/password` on a device: another password. */
export const DevicePasswordChangeBody = Type.Object({ current: Password, password: Password });
export type DevicePasswordChangeBody = Static<typeof DevicePasswordChangeBody>;

export const sessionOperations = operations('session', {
  getSession: {
    route: 'GET /api/v1/session',
    summary: 'Whether the device has a password, and what the caller may do',
    requires: 'nothing',
    answers: { 200: DeviceSession },
    // A proxy takes only requests for a site, with its token, and answers while it cannot reach the device.
    refusals: [401, 429, 502, 503, 504],
  },

  signIn: {
    route: 'POST /api/v1/session',
    summary: 'Signs a browser in with the device password: the answer sets the cookie',
    requires: 'own_page',
    body: DeviceSignInBody,
    answers: { 204: NoContent },
    refusals: [401, 429],
  },

  signOut: {
    route: 'DELETE /api/v1/session',
    summary: 'Signs a browser out',
    requires: 'own_page',
    answers: { 204: NoContent },
  },

  setFirstPassword: {
    route: 'POST /api/v1/password',
    summary: 'Gives the device its first password, and signs the browser in',
    requires: 'first_run',
    body: DeviceFirstPasswordBody,
    answers: { 204: NoContent },
    refusals: [409, 422],
  },

  changePassword: {
    route: 'PUT /api/v1/password',
    summary: 'Gives the device another password, which signs every other browser out',
    requires: 'own_page',
    body: DevicePasswordChangeBody,
    answers: { 204: NoContent },
    refusals: [422, 429],
  },
});
