import { ApiError } from '@heliograph/client';
import type { PlaceOrderBody } from '@heliograph/contracts';
import { KEY_OF_ANOTHER_REQUEST } from '@heliograph/contracts/idempotency';
import { normalizeTyped } from '@heliograph/contracts/typed-text';
import { vatNumberOn } from '@heliograph/contracts/vat-numbers';
import { Alert, Anchor, Button, Checkbox, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import type { FieldErrors } from '../../../shared/errors/error-message.ts';
import { fieldErrors } from '../../../shared/errors/fields.ts';
import { fullName } from '../../../shared/format/person-name.ts';
import { readerLanguages } from '../../../shared/format/region.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { usePortalSession } from '../../session/session.ts';
import { ordersQuery } from '../orders/queries.ts';
import {
  AddressFields,
  type AddressValues,
  EMPTY_ADDRESS,
  missingIn,
  newAddressOf,
} from './address-fields.tsx';
import { EMPTY_BASKET } from './basket.ts';
import type { BasketLine } from './basket-page.tsx';
import { countryOf } from './countries.ts';
import { useBasket } from './use-basket.ts';

interface Values {
  /** The destination of the order; without goods, of the bill. */
  readonly address: AddressValues;
  readonly hasOtherBill: boolean;
  readonly bill: AddressValues;
  readonly vatNumber: string;
  readonly note: string;
}

interface CheckoutFormProps {
  /** Null for the operator's own shop. */
  readonly seller: number | null;
  readonly currency: string;
  readonly lines: readonly BasketLine[];
  /** Whether something is to be sent. */
  readonly hasGoods: boolean;
  /** Called with each attempt, at first with none. */
  readonly onRefused: (fields: FieldErrors) => void;
}

/** Orders what is in the basket. */
export function CheckoutForm({ onRefused, ...order }: CheckoutFormProps) {
  const { lines, hasGoods } = order;
  const { t } = useTranslation('shop');
  const { user } = usePortalSession();
  const { basket, setBasket } = useBasket();
  const [, navigate] = useLocation();
  const address: AddressValues = {
    ...EMPTY_ADDRESS,
    name: user === null ? '' : fullName(user, user.locale),
    phone: user?.phone_number ?? '',
    country: countryOf(readerLanguages()),
  };
  const form = useApiForm<Values, { readonly id: number }>({
    initialValues: {
      address,
      hasOtherBill: false,
      bill: { ...EMPTY_ADDRESS, country: address.country },
      vatNumber: '',
      note: '',
    },
    validate: (values) => ({
      ...missing('address', values.address, t('missing')),
      ...(hasGoods && values.hasOtherBill && missing('bill', values.bill, t('missing'))),
      ...(!isVatNumber(values, hasGoods) && { vatNumber: t('vatWrong') }),
    }),
    send: (values) => {
      onRefused({});
      const { orderKey: idempotencyKey } = basket;
      return cloud.placeOrder(bodyOf(values, order), { idempotencyKey }).catch((error: unknown) => {
        onRefused(fieldErrors(error));
        throw error;
      });
    },
    onDone: ({ id }) => {
      setBasket(EMPTY_BASKET);
      void queries.invalidateQueries(ordersQuery);
      void queries.invalidateQueries({ queryKey: ['shop'] });
      navigate(`/user/orders/${id}`);
    },
  });
  const hasOtherBill = hasGoods && form.values.hasOtherBill;
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack gap="md" maw="36rem">
        <AddressFields
          legend={t(hasGoods ? 'deliverTo' : 'billTo')}
          section={hasGoods ? 'shipping' : 'billing'}
          input={(field) => form.getInputProps(`address.${field}`)}
        />
        {hasGoods && (
          <Checkbox label={t('otherBill')} {...form.getInputProps('hasOtherBill', { type: 'checkbox' })} />
        )}
        {hasOtherBill && (
          <AddressFields
            legend={t('billTo')}
            section="billing"
            input={(field) => form.getInputProps(`bill.${field}`)}
          />
        )}
        <TextInput
          label={t('vatNumber')}
          description={t('vatHint')}
          maxLength={30}
          {...form.getInputProps('vatNumber')}
        />
        <Textarea
          size="md"
          label={t('note')}
          autosize
          minRows={2}
          maxLength={2_000}
          {...form.getInputProps('note')}
        />
        {isOrderedBefore(form.error) ? <OrderedBefore /> : <FormError error={form.error} />}
        <Group gap="sm">
          <Button
            type="submit"
            loading={form.isPending}
            disabled={lines.some(({ product }) => product === undefined)}
          >
            {t('place')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Whether the basket was ordered with other details, by an attempt whose answer never arrived. */
function isOrderedBefore(error: unknown): boolean {
  return error instanceof ApiError && error.message === KEY_OF_ANOTHER_REQUEST;
}

function OrderedBefore() {
  const { t } = useTranslation('shop');
  return (
    <Alert color="red" variant="light" role="alert">
      {t('orderedBefore')}{' '}
      <Anchor component={Link} href="/user/orders" underline="always">
        {t('ownOrders')}
      </Anchor>
    </Alert>
  );
}

function missing(name: string, address: AddressValues, message: string): Record<string, string> {
  return Object.fromEntries(missingIn(address).map((field) => [`${name}.${field}`, message]));
}

/** Whether the VAT number is empty, or can be one of the country that the bill goes to. */
function isVatNumber(values: Values, hasGoods: boolean): boolean {
  const { country } = hasGoods && values.hasOtherBill ? values.bill : values.address;
  return normalizeTyped(values.vatNumber) === '' || vatNumberOn(country, values.vatNumber) !== undefined;
}

function bodyOf(
  values: Values,
  { seller, currency, lines, hasGoods }: Omit<CheckoutFormProps, 'onRefused'>,
): PlaceOrderBody {
  const { address, hasOtherBill, bill, vatNumber, note } = values;
  return {
    organization_id: seller,
    currency,
    items: lines.flatMap(({ item, product }) =>
      product === undefined
        ? []
        : [{ sku: product.sku, quantity: item.quantity, device_uid: item.deviceUid || null }],
    ),
    shipping_address: hasGoods ? newAddressOf(address, null) : null,
    billing_address: newAddressOf(hasGoods && hasOtherBill ? bill : address, vatNumber),
    note: note.trim() || null,
  };
}
