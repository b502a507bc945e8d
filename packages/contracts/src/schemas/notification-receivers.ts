import { type Static, Type } from 'typebox';
import { ALERT_SEVERITIES } from './alerts.ts';
import { nullable } from './common.ts';
import { LOCALES } from './locales.ts';

const fields = {
  index: Type.Integer({ description: 'In notifications of the configuration file, from 0' }),
  kind: Type.Enum(['ntfy', 'smtp']),
  host: Type.String({ description: 'Of the ntfy or mail server' }),
  severity: Type.Enum([...ALERT_SEVERITIES], { description: 'The least severity that is sent' }),
  language: Type.Enum([...LOCALES]),
};

/** A server that a device sends alerts to by itself, of `notifications` in its configuration file; without topic and addresses. */
export const NotificationReceiver = Type.Object(fields);
export type NotificationReceiver = Static<typeof NotificationReceiver>;

export const NotificationTest = Type.Object({
  ...fields,
  error: nullable(
    Type.String({ description: 'Why the message was not sent, in English; null when the server took it' }),
  ),
});
export type NotificationTest = Static<typeof NotificationTest>;
