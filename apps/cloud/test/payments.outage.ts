import type { BuyerOrder, OrderCheckout } from '@heliograph/contracts';
import { createTestDatabase } from '@heliograph/dev/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { CloudProcess } from './cloud-process.ts';
import { SECRET_KEY, StripeStandIn, WEBHOOK_SECRET } from './shop/payments/stripe.ts';

it('a cloud that is killed between the notification of a payment and its mail loses neither', async () => {
  await using database = await createTestDatabase();
  await using stripe = await StripeStandIn.start(() => Date.now());
  const env = {
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
  };
  // A mail server that refuses the connection keeps the mail waiting.
  const noMail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'shop@example.org', CLOUD_MAILBOX: 'false' };
  await using first = await CloudProcess.start(database.url, { ...env, ...noMail });
  const { id: buyerId, token, email } = await first.make.user();
  await first.make.product(null, { sku: 'advice', kind: 'service' });
  const { body: order } = await first.call<BuyerOrder>('POST /api/v1/user/orders', {
    token,
    body: { items: [{ sku: 'advice' }], currency: 'USD' },
  });
  await first.call<OrderCheckout>(`POST /api/v1/user/orders/${order.id}/pay`, { token });
  const [session] = stripe.sessions.values();
  if (session === undefined) throw new Error('No checkout was made');
  const event = stripe.paid(session);
  expect((await stripe.notify(first, event)).status).toBe(204);
  const waiting = async () => {
    const { rows } = await sql<{ isRetried: boolean }>`
      select failing_since is not null and lease_until is null as "isRetried" from deliveries
      where kind = 'mail' and payload ->> 'event' = 'paid' and (payload ->> 'userId')::int = ${buyerId}`.execute(
      first.db,
    );
    return rows.map(({ isRetried }) => isRetried);
  };
  await expect.poll(waiting).toEqual([true]);
  first.process.kill('SIGKILL');

  await using second = await CloudProcess.start(database.url, env);
  await sql`update deliveries set due_at = now() where kind = 'mail' and due_at is not null`.execute(
    second.db,
  );
  await expect
    .poll(async () => (await second.mails(email)).filter(({ text }) => text.includes(order.number)).length, {
      interval: 100,
    })
    .toBeGreaterThan(1);
  // Stripe, which saw no second answer, sends it again.
  expect((await stripe.notify(second, event)).status).toBe(204);
  const { body: paid } = await second.call<BuyerOrder>(`GET /api/v1/user/orders/${order.id}`, { token });
  expect(paid).toMatchObject({ payment_state: 'paid', payments: [{ provider: 'stripe', excess: false }] });
  expect(await waiting()).not.toContain('retry');
});
