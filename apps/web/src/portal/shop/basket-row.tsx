import type { Money, Product, Shop } from '@heliograph/contracts';
import { Button, Group, NumberInput, Text, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useMoney } from '../orders/use-money.ts';
import { Row } from '../parts/rows.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { type BasketItem, MAX_QUANTITY, withQuantity } from './basket.ts';

interface BasketRowProps {
  readonly item: BasketItem;
  /** Undefined when it is no longer for sale. */
  readonly product: Product | undefined;
  readonly subtotal: Money;
  readonly devices: Shop['devices'];
  /** Why the service refused it. */
  readonly problem: string | undefined;
  readonly onChange: (item: BasketItem) => void;
  readonly onRemove: () => void;
}

export function BasketRow({ item, product, subtotal, devices, problem, onChange, onRemove }: BasketRowProps) {
  const { t } = useTranslation('shop');
  const { money } = useMoney();
  const name = product?.name ?? t('gone');
  const isForOneDevice = product?.licence?.devices === 1 && item.quantity === 1;
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
      {problem !== undefined && (
        <Text c="red" role="alert">
          {problem}
        </Text>
      )}
      {isForOneDevice && (
        <DeviceField
          devices={devices}
          value={item.deviceUid}
          onChange={(deviceUid) => onChange({ ...item, deviceUid })}
        />
      )}
    </Row>
  );
}

interface DeviceFieldProps {
  readonly devices: Shop['devices'];
  readonly value: string;
  readonly onChange: (uid: string) => void;
}

/** The device that a licence activates: one of the reader's sites, or another. */
function DeviceField({ devices, value, onChange }: DeviceFieldProps) {
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
