import type { Money, Product, Shop } from '@heliograph/contracts';
import { Anchor, Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { Loading } from '../../../shared/components/states/loading.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import type { FieldErrors } from '../../../shared/errors/error-message.ts';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useMoney } from '../orders/use-money.ts';
import {
  type Basket,
  type BasketItem,
  MAX_QUANTITY,
  withItem,
  withoutProduct,
  withQuantity,
} from './basket.ts';
import { CheckoutForm } from './checkout-form.tsx';
import { productQuery, shopQuery } from './queries.ts';
import { useBasket } from './use-basket.ts';

/** The basket, and the order that it becomes. */
export function Page() {
  const { t } = useTranslation('shop');
  const { basket } = useBasket();
  const shop = useQuery(shopQuery);
  return (
    <Stack gap="lg">
      <Anchor component={Link} href="/shop">
        {t('back')}
      </Anchor>
      <PageTitle text={t('basket')} />
      {basket.items.length === 0 ? (
        <Empty title={t('empty')}>{t('emptyText')}</Empty>
      ) : (
        <QueryResult query={shop}>{(found) => <Order shop={found} basket={basket} />}</QueryResult>
      )}
    </Stack>
  );
}

/** An item with its product; undefined for one that is no longer for sale. */
export interface BasketLine {
  readonly item: BasketItem;
  readonly product: Product | undefined;
}

interface OrderProps {
  readonly shop: Shop;
  readonly basket: Basket;
}

function Order({ shop, basket }: OrderProps) {
  const { t } = useTranslation('shop');
  const { money } = useMoney();
  const { setBasket } = useBasket();
  const [refusals, setRefusals] = useState<FieldErrors>({});
  const products = useQueries({ queries: basket.items.map(({ productId }) => productQuery(productId)) });
  if (products.some(({ isPending }) => isPending)) return <Loading />;
  const { currency } = basket;
  const sellerId = shop.organization?.id ?? null;
  const isOffered = ({ state, prices, organization }: Product) =>
    state === 'active' &&
    (organization?.id ?? null) === sellerId &&
    prices.some((price) => price.currency === currency);
  const lines = basket.items.map((item, index): BasketLine => {
    const product = products[index]?.data;
    return { item, product: product !== undefined && isOffered(product) ? product : undefined };
  });
  const hasGoods = lines.some(({ product }) => product?.kind === 'device' || product?.kind === 'accessory');
  const delivery = hasGoods ? (shop.delivery.find((price) => price.currency === currency)?.amount ?? 0) : 0;
  const sum = lines.reduce(
    (total, { item, product }) => total + priceOf(product, currency) * item.quantity,
    0,
  );
  return (
    <>
      <Card title={t('items')}>
        <Rows label={t('items')}>
          {lines.map(({ item, product }, index) => (
            <BasketRow
              key={item.productId}
              item={item}
              product={product}
              subtotal={{ amount: priceOf(product, currency) * item.quantity, currency }}
              devices={shop.devices}
              problem={refusals[`items.${index}.sku`]}
              problemOfDevice={refusals[`items.${index}.device_uid`]}
              onChange={(changed) => setBasket(withItem(basket, changed))}
              onRemove={() => setBasket(withoutProduct(basket, item.productId))}
            />
          ))}
          {delivery > 0 && <Row title={t('delivery')} facts={[money({ amount: delivery, currency })]} />}
          <Row
            title={t('sum')}
            facts={[<strong key="sum">{money({ amount: sum + delivery, currency })}</strong>]}
          />
        </Rows>
        <Text size="sm" c="dimmed">
          {t(shop.prices_include_tax ? 'taxIncluded' : 'taxExcluded')}
        </Text>
      </Card>
      <Card title={t('order')}>
        <CheckoutForm
          seller={sellerId}
          currency={currency}
          lines={lines}
          hasGoods={hasGoods}
          onRefused={setRefusals}
        />
      </Card>
    </>
  );
}

function priceOf(product: Product | undefined, currency: string): number {
  return product?.prices.find((price) => price.currency === currency)?.amount ?? 0;
}

interface BasketRowProps {
  readonly item: BasketItem;
  /** Undefined when it is no longer for sale. */
  readonly product: Product | undefined;
  readonly subtotal: Money;
  readonly devices: Shop['devices'];
  /** Why the service refused it. */
  readonly problem: string | undefined;
  /** Why the service refused its device. */
  readonly problemOfDevice: string | undefined;
  readonly onChange: (item: BasketItem) => void;
  readonly onRemove: () => void;
}

function BasketRow({
  item,
  product,
  subtotal,
  devices,
  problem,
  problemOfDevice,
  onChange,
  onRemove,
}: BasketRowProps) {
  const { t } = useTranslation('shop');
  const { money } = useMoney();
  const name = product?.name ?? t('gone');
  const isForOneDevice = product?.licence?.devices === 1 && item.quantity === 1;
  const problemOfRow = problem ?? (isForOneDevice ? undefined : problemOfDevice);
  return (
    <Row
      title={product === undefined ? <StatusBadge tone="danger">{name}</StatusBadge> : name}
      facts={[product !== undefined && money(subtotal)]}
      actions={
        <Group gap="sm" wrap="nowrap">
          {product !== undefined && (
            <NumberInput
              aria-label={t('quantity', { name })}
              value={item.quantity}
              min={1}
              max={MAX_QUANTITY}
              allowDecimal={false}
              w="5.5rem"
              onChange={(value) => onChange(withQuantity(item, Number(value)))}
            />
          )}
          <Button variant="default" aria-label={t('removeThat', { name })} onClick={onRemove}>
            {t('remove')}
          </Button>
        </Group>
      }
    >
      {problemOfRow !== undefined && (
        <Text c="red" role="alert">
          {problemOfRow}
        </Text>
      )}
      {isForOneDevice && (
        <DeviceField
          devices={devices}
          value={item.deviceUid}
          error={problemOfDevice}
          onChange={(deviceUid) => onChange({ ...item, deviceUid })}
        />
      )}
    </Row>
  );
}

interface DeviceFieldProps {
  readonly devices: Shop['devices'];
  readonly value: string;
  /** The refusal of the last order, if it is about this device. */
  readonly error: string | undefined;
  readonly onChange: (uid: string) => void;
}

/** The device that a licence activates: one of the reader's sites, or another. */
function DeviceField({ devices, value, error, onChange }: DeviceFieldProps) {
  const { t } = useTranslation('shop');
  const list = useId();
  return (
    <>
      <TextInput
        label={t('device')}
        description={t('noDevice')}
        maw="24rem"
        autoComplete="off"
        spellCheck={false}
        list={list}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={list}>
        {devices.map(({ uid, site }) => (
          <option key={uid} value={uid} label={site} />
        ))}
      </datalist>
    </>
  );
}
