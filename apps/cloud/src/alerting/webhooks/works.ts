import type { Work } from '../../delivery/due-work.ts';
import { EventFollower } from '../events/service.ts';
import { WebhookSender, type WebhookSenderOptions } from './sender.ts';
import { wakeWebhooks } from './wake.ts';

/** Finds the webhooks that have something to send, and sends it. */
export function webhookWorks(options: WebhookSenderOptions): Work[] {
  const { db, clock } = options;
  return [
    new EventFollower({
      ...{ db, name: 'events for webhooks' },
      take: (tx, events) => wakeWebhooks(tx, events, new Date(clock.now())),
    }),
    new WebhookSender(options),
  ];
}
