import { formatMoney, formatRate, type Locale, tagOf } from '@heliograph/contracts';
import { fullName } from '@heliograph/kit/person-name';
import { fill } from '@heliograph/locales/read';
import type { Notice } from './access-notices.ts';
import type { MailJob } from './jobs.ts';
import { staffPath } from './links.ts';
import { oneLine, personalName, siteName } from './names.ts';
import type { MailRepository, OrderFacts } from './repository.ts';
import { textsOf } from './texts.ts';

type OrderJob = Extract<MailJob, { kind: 'order' }>;

/** Events that the seller is mailed about. */
const OF_SELLER: ReadonlySet<OrderJob['event']> = new Set(['sold', 'withdrawn', 'excess']);

/** @returns undefined when the order is gone, or the reader no longer sells */
export async function orderNotice(
  repository: MailRepository,
  job: OrderJob,
  locale: Locale,
  brand: string,
): Promise<Notice | undefined> {
  const order = await repository.order(job.orderId);
  const isForSeller = OF_SELLER.has(job.event);
  if (order === undefined || (isForSeller && !(await repository.isSeller(job.userId, job.organizationId))))
    return undefined;
  const texts = textsOf(locale).order;
  const { subject, text } = texts[job.event];
  const values = {
    brand,
    number: order.number,
    customer: customerOf(order, locale),
    amount: job.amount ?? '',
  };
  return {
    subject: fill(subject, values),
    paragraphs: [fill(text, values), ...detailsOf(job.event, order, locale)],
    button: texts.button,
    remarks: [isForSeller ? fill(texts.automatic, { brand }) : texts.unexpected],
    path: isForSeller
      ? staffPath(job.organizationId, `/orders/${job.orderId}`)
      : `/user/orders/${job.orderId}`,
    thread: `order-${job.orderId}`,
  };
}

function detailsOf(event: OrderJob['event'], order: OrderFacts, locale: Locale): string[] {
  const texts = textsOf(locale).order;
  const { currency } = order;
  const tag = tagOf(locale);
  const money = (amount: number) => formatMoney({ amount, currency }, tag, 'code');
  const items = order.items.map(({ quantity, name }) => `${quantity} × ${siteName(name)}`).join(', ');
  const taxes = order.taxLines
    .map(({ name, rate, amount }) => `${siteName(name)} ${formatRate(rate, tag)} ${money(amount)}`)
    .join(', ');
  const bill = [
    fill(texts.items, { items }),
    fill(texts.total, { amount: money(order.total) }),
    ...(taxes === '' ? [] : [fill(texts.taxes, { taxes })]),
  ];
  switch (event) {
    case 'placed':
      return [...bill, ...(order.paymentState === 'unpaid' ? [texts.unpaid] : [])];
    case 'paid':
      return [...bill, ...(order.hasCode ? [texts.licence] : [])];
    case 'shipped':
      return order.shipments
        .slice(-1)
        .flatMap(({ carrier, trackingNumber: number }) => [
          fill(texts.shipment, { carrier: siteName(carrier) }),
          ...(number === null ? [] : [fill(texts.tracking, { number: siteName(number) })]),
        ]);
    case 'sold':
    case 'cancelled':
    case 'withdrawn':
      return bill;
    default:
      return [];
  }
}

/** Includes the email address, since people choose their own names. */
function customerOf({ email, firstName, lastName }: OrderFacts, locale: Locale): string {
  const name = personalName(fullName({ first_name: firstName, last_name: lastName }, locale));
  return name === undefined ? oneLine(email) : `${name} (${oneLine(email)})`;
}
