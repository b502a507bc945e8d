import type { Product, ProductState } from '@heliograph/contracts';
import { Button, Group } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../../../shared/browser/save-file.ts';
import { Card } from '../../../../shared/components/card/card.tsx';
import { FormError } from '../../../../shared/components/form/form-error.tsx';
import { SearchField } from '../../../../shared/components/form/search-field.tsx';
import { useSubmit } from '../../../../shared/components/form/use-submit.ts';
import { Empty } from '../../../../shared/components/states/empty.tsx';
import { useFormat } from '../../../../shared/format/use-format.ts';
import { portal } from '../../../session/portal.ts';
import { useMoney } from '../../../shop/orders/use-money.ts';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { QueryResult } from '../../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../../ui/lists/rows.tsx';
import { useFilter } from '../../../ui/lists/use-filter.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { FilterSelect } from '../filter-select.tsx';
import { productsQuery } from '../queries.ts';
import { searchOf } from '../search-of.ts';
import { StaffPage, useStaff } from '../staff-page.tsx';
import { ImportCard } from './import-card.tsx';

const STATES = {
  draft: { label: 'catalogue.states.draft', tone: 'warning' },
  active: { label: 'catalogue.states.active', tone: 'good' },
  archived: { label: 'catalogue.states.archived', tone: 'neutral' },
} as const satisfies Record<ProductState, object>;

/** The products of a seller, and the import of others. */
export function Page() {
  const { t } = useTranslation('staff');
  const { organizationId } = useStaff();
  return (
    <StaffPage part={t('catalogue.title')} forManagers>
      <ProductsCard organizationId={organizationId} />
      <ImportCard organizationId={organizationId} />
    </StaffPage>
  );
}

interface ProductsCardProps {
  readonly organizationId: number | null;
}

function ProductsCard({ organizationId }: ProductsCardProps) {
  const { t } = useTranslation('staff');
  const { values, set } = useFilter('q', 'state');
  const products = useInfiniteQuery({
    ...productsQuery(organizationId, searchOf(values.q, { state: values.state })),
    placeholderData: keepPreviousData,
  });
  return (
    <Card title={t('catalogue.title')} action={<SaveButton organizationId={organizationId} />}>
      <Group gap="sm">
        <SearchField label={t('catalogue.search')} value={values.q} onChange={(q) => set('q', q)} />
        <FilterSelect
          label={t('tickets.state')}
          all={t('tickets.anyState')}
          value={values.state}
          choices={{
            draft: t(STATES.draft.label),
            active: t(STATES.active.label),
            archived: t(STATES.archived.label),
          }}
          onChange={(value) => set('state', value)}
        />
      </Group>
      <QueryResult query={products}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('catalogue.none')} />
          ) : (
            <Rows label={t('catalogue.title')}>
              {list.map((product) => (
                <ProductRow key={product.id} product={product} />
              ))}
            </Rows>
          )
        }
      </QueryResult>
      <MoreButton list={products} />
    </Card>
  );
}

function ProductRow({ product }: { readonly product: Product }) {
  const { t } = useTranslation('staff');
  const format = useFormat();
  const { money } = useMoney();
  const { name, sku, state, prices, stock } = product;
  const { label, tone } = STATES[state];
  return (
    <Row
      title={
        <>
          {name} <StatusBadge tone={tone}>{t(label)}</StatusBadge>
        </>
      }
      facts={[
        <code key="sku">{sku}</code>,
        prices.map((price) => money(price)).join(', '),
        stock !== null && t('catalogue.stock', { number: format.number(stock) }),
      ]}
    />
  );
}

function SaveButton({ organizationId }: ProductsCardProps) {
  const { t } = useTranslation('staff');
  const { submit, isPending, error } = useSubmit(async () => {
    const { text } = await portal.getCatalogue(
      organizationId === null ? {} : { organization_id: organizationId },
    );
    saveFile('catalogue.yaml', new Blob([text], { type: 'application/yaml' }));
  });
  return (
    <>
      <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
        {t('catalogue.save')}
      </Button>
      <FormError error={error} />
    </>
  );
}
