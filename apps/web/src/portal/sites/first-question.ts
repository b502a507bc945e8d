import i18next from 'i18next';
import { deferredPart } from '../../shared/routing/lazy-part.ts';

/** The question which alerts are to reach the reader, on pages that do not wait for it. */
export const FirstQuestion = deferredPart(async () => {
  const texts = i18next.loadNamespaces('notifications');
  const [{ NotificationQuestion }] = await Promise.all([
    import('../alerting/notifications/notification-question.tsx'),
    texts,
  ]);
  return NotificationQuestion;
});
