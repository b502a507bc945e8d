import type { Product, Shop } from '@heliograph/contracts';
import { Anchor, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { SearchField } from '../../../shared/components/form/search-field.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { MoreButton } from '../../ui/lists/more-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useMoney } from '../orders/use-money.ts';
import { withProduct } from './basket.ts';
import { offersQuery, shopQuery } from './queries.ts';
import { useBasket } from './use-basket.ts';

/** Products for sale to the reader. */
export function Page() {
  const { t } = useTranslation('shop');
  const query = useQuery(shopQuery);
  return (
    <QueryResult query={query}>
      {(shop) => (
        <Stack gap="lg">
          <Group justify="space-between">
            <PageTitle text={t('title')} />
            <BasketLink />
          </Group>
          {shop.organization !== null && <Text c="dimmed">{t('of', { name: shop.organization.name })}</Text>}
          {shop.currencies.length === 0 ? (
            <Empty title={t('none')}>{t('noneText')}</Empty>
          ) : (
            <OffersCard shop={shop} currencies={shop.currencies} />
          )}
        </Stack>
      )}
    </QueryResult>
  );
}

function BasketLink() {
  const { t } = useTranslation('shop');
  const format = useFormat();
  const { basket } = useBasket();
  const number = basket.items.reduce((sum, { quantity }) => sum + quantity, 0);
  if (number === 0) return null;
  return (
    <Button component={Link} href="/shop/basket">
      {t('toBasket', { number: format.number(number) })}
    </Button>
  );
}

interface OffersCardProps {
  readonly shop: Shop;
  readonly currencies: readonly string[];
}

function OffersCard({ shop, currencies }: OffersCardProps) {
  const { t } = useTranslation('shop');
  const { basket, setBasket } = useBasket();
  const [chosen, setChosen] = useState(basket.currency);
  const [searched, setSearched] = useState('');
  const currency = currencies.includes(chosen) ? chosen : (currencies[0] ?? '');
  const offers = useInfiniteQuery({
    ...offersQuery(shop.organization?.id ?? null, currency, searched),
    placeholderData: keepPreviousData,
  });
  const choose = (next: string): void => {
    setChosen(next);
    setBasket({ ...basket, currency: next });
  };
  return (
    <Card title={t('products')}>
      <Group gap="sm">
        <SearchField label={t('search')} value={searched} onChange={setSearched} />
        {currencies.length > 1 && (
          <NativeSelect
            aria-label={t('currency')}
            data={[...currencies]}
            value={currency}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        )}
      </Group>
      <QueryResult query={offers}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('noneFound')} />
          ) : (
            <Rows label={t('products')}>
              {list.map((product) => (
                <OfferRow key={product.id} product={product} currency={currency} />
              ))}
            </Rows>
          )
        }
      </QueryResult>
      <MoreButton list={offers} />
      <Text size="sm" c="dimmed">
        {t(shop.prices_include_tax ? 'taxIncluded' : 'taxExcluded')}
      </Text>
    </Card>
  );
}

interface OfferRowProps {
  readonly product: Product;
  readonly currency: string;
}

function OfferRow({ product, currency }: OfferRowProps) {
  const { t } = useTranslation('shop');
  const format = useFormat();
  const { money } = useMoney();
  const { basket, setBasket } = useBasket();
  const { id, name, description, prices, licence, stock, url } = product;
  const price = prices.find((one) => one.currency === currency);
  const inBasket = basket.items.find((item) => item.productId === id)?.quantity ?? 0;
  const isSoldOut = stock !== null && stock <= inBasket;
  return (
    <Row
      title={
        <>
          {name} {stock === 0 && <StatusBadge tone="warning">{t('soldOut')}</StatusBadge>}
        </>
      }
      facts={[
        price && <strong key="price">{money(price)}</strong>,
        licence !== null && t('licence', { devices: format.number(licence.devices) }),
        licence !== null &&
          (licence.months === null ? t('perpetual') : t('months', { months: format.number(licence.months) })),
        stock !== null && stock > 0 && t('stock', { number: format.number(stock) }),
        inBasket > 0 && t('inBasket', { number: format.number(inBasket) }),
        url !== null && (
          <Anchor key="url" href={url} rel="noreferrer" target="_blank" aria-label={t('moreThat', { name })}>
            {t('more')}
          </Anchor>
        ),
      ]}
      actions={
        <Button
          variant="default"
          disabled={isSoldOut || price === undefined}
          aria-label={t('addThat', { name })}
          onClick={() => setBasket(withProduct(basket, id, currency))}
        >
          {t('add')}
        </Button>
      }
    >
      {description !== null && <Text style={{ whiteSpace: 'pre-line' }}>{description}</Text>}
    </Row>
  );
}
