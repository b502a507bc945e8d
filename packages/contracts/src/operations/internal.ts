import { connectOperations } from '../devices/connect.ts';
import { announcementOperations } from '../devices/proxies.ts';
import { botCheckOperations } from '../identity/bot-check.ts';
import { paymentOperations } from '../shop/payments.ts';
import { deviceAlertOperations } from '../sites/alerts.ts';
import { deviceBackupOperations } from '../sites/backups.ts';
import { deviceHistoryOperations } from '../sites/history.ts';

/** Operations that devices, proxies, payment providers and the cloud's own pages call: they may change with any release. */
export const internalOperations = {
  ...connectOperations,
  ...deviceBackupOperations,
  ...deviceHistoryOperations,
  ...deviceAlertOperations,
  ...paymentOperations,
  ...announcementOperations,
  ...botCheckOperations,
};
