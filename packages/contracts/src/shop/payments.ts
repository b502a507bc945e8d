import { Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';

/** A notification of a payment provider is some kilobytes. */
const NOTIFICATION_LIMIT_BYTES = 256 * 1024;

export const paymentOperations = operations('internal', {
  receiveStripeEvent: {
    route: 'POST /webhooks/payments/stripe',
    summary: 'Stripe reports a payment, a refund or the end of a checkout',
    // The body is signed.
    requires: 'nothing',
    body: { content: { 'application/json': { schema: Type.Unsafe<Uint8Array>({}) } } },
    bodyLimit: NOTIFICATION_LIMIT_BYTES,
    answers: { 204: NoContent },
    refusals: [404, 503],
  },
});
