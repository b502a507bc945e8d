import type { NotificationSettings } from '@heliograph/contracts';
import { queryOptions } from '@tanstack/react-query';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';

export const notificationSettingsQuery = queryOptions({
  queryKey: ['account', 'notification_settings'],
  queryFn: () => cloud.getNotificationSettings(),
});

export function showNotificationSettings(changed: NotificationSettings): void {
  queries.setQueryData(notificationSettingsQuery.queryKey, changed);
}
