import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import type { ReceiverOperations } from './page-operations.ts';

/** Receivers of alerts, and test messages to them. */
export function receiverRoutes(api: Api, receivers: ReceiverOperations): void {
  api.serve(deviceOperations.listNotificationReceivers, () => receivers.list());

  api.serve(deviceOperations.testNotificationReceivers, () => receivers.test());
}
