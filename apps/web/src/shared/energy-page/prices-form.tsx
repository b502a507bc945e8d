import { type DeviceClient, listTariffs, setTariffs } from '@heliograph/client';
import type { Tariff } from '@heliograph/contracts';
import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../components/form/form-error.tsx';
import { useApiForm } from '../components/form/use-api-form.ts';
import { Failure } from '../components/states/failure.tsx';
import { Placeholder } from '../components/states/placeholder.tsx';
import { useSiteTimeZone } from '../energy/use-curves.ts';
import { regionalTag } from '../format/region.ts';
import { deviceKey } from '../live/device-key.ts';
import classes from './energy-page.module.css';
import { todayIn } from './energy-selection.ts';
import {
  DAY_CHOICES,
  type PriceRow,
  parsePrice,
  simplePrices,
  tariffOf,
  usualSettlement,
  withTariff,
} from './simple-prices.ts';

interface PricesFormProps {
  readonly device: DeviceClient;
  readonly onDone: () => void;
}

/** The prices of energy at a site, as they apply from a day on. */
export function PricesForm({ device, onDone }: PricesFormProps) {
  const { t } = useTranslation('prices');
  const zone = useSiteTimeZone();
  const queryKey = ['device', deviceKey(device), 'tariffs'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => listTariffs(device, signal),
  });
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Placeholder height="20rem" />;
  const latest = data.tariffs.at(-1);
  if (latest !== undefined && simplePrices(latest, zone) === undefined) return <Text>{t('complex')}</Text>;
  return <Fields device={device} tariffs={data.tariffs} onDone={onDone} />;
}

interface FieldsProps extends PricesFormProps {
  readonly tariffs: readonly Tariff[];
}

const NEW_ROW: PriceRow = { price: '', from: '22', to: '6', days: 'everyDay' };

function Fields({ device, tariffs, onDone }: FieldsProps) {
  const { t, i18n } = useTranslation('prices');
  const queries = useQueryClient();
  const zone = useSiteTimeZone();
  const today = todayIn(zone, Date.now());
  const latest = tariffs.at(-1);
  const known = latest === undefined ? undefined : simplePrices(latest, zone);
  const months = useMemo(() => monthChoices(regionalTag(i18n.language)), [i18n.language]);
  const [mayReprice, setReprice] = useState(false);
  const isPrice = (text: string): string | null => (Number.isFinite(parsePrice(text)) ? null : t('price'));
  const form = useApiForm({
    initialValues: {
      // Prices of a year that has been counted are worth more than those of tomorrow.
      validFrom: latest === undefined ? `${today.slice(0, 4)}-01-01` : today,
      currency: known?.currency ?? 'EUR',
      importPrice: known?.importPrice ?? '',
      exportPrice: known?.exportPrice ?? '',
      perMonth: known?.perMonth ?? '0',
      netMetering: known?.netMetering ?? false,
      settled: known?.settled ?? usualSettlement(zone),
      yearEnds: known?.yearEnds ?? '12',
      rows: [...(known?.rows ?? [])],
    },
    validate: {
      importPrice: isPrice,
      exportPrice: isPrice,
      perMonth: isPrice,
      rows: { price: isPrice },
    },
    async send(values) {
      await setTariffs(device, {
        tariffs: withTariff(tariffs, tariffOf(values)),
        ...(mayReprice && { reprice: true }),
      });
      await queries.invalidateQueries({ queryKey: ['device', deviceKey(device)] });
    },
    onDone,
  });
  const currency = form.values.currency.toUpperCase();
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack gap="md">
        <FormError error={form.error} />
        <div className={classes.prices}>
          <TextInput type="date" label={t('since')} required {...form.getInputProps('validFrom')} />
          <TextInput label={t('currency')} maxLength={3} required {...form.getInputProps('currency')} />
          <TextInput
            label={t('importPrice')}
            inputMode="decimal"
            required
            rightSection={currency}
            rightSectionWidth="3.5rem"
            {...form.getInputProps('importPrice')}
          />
          <TextInput
            label={t('exportPrice')}
            inputMode="decimal"
            required
            rightSection={currency}
            rightSectionWidth="3.5rem"
            {...form.getInputProps('exportPrice')}
          />
          <TextInput
            label={t('perMonth')}
            inputMode="decimal"
            required
            rightSection={currency}
            rightSectionWidth="3.5rem"
            {...form.getInputProps('perMonth')}
          />
        </div>
        <fieldset className={classes.priceRows}>
          <legend>{t('other')}</legend>
          <Text size="sm" c="dimmed">
            {t('otherHint')}
          </Text>
          {form.values.rows.map((_row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
            <div key={i} className={classes.prices}>
              <TextInput label={t('price')} inputMode="decimal" {...form.getInputProps(`rows.${i}.price`)} />
              <NativeSelect
                label={t('from')}
                data={HOURS.slice(0, 24)}
                {...form.getInputProps(`rows.${i}.from`)}
              />
              <NativeSelect label={t('to')} data={HOURS.slice(1)} {...form.getInputProps(`rows.${i}.to`)} />
              <NativeSelect
                label={t('days')}
                data={DAY_CHOICES.map((value) => ({ value, label: t(value) }))}
                {...form.getInputProps(`rows.${i}.days`)}
              />
              <Button variant="subtle" onClick={() => form.removeListItem('rows', i)}>
                {t('remove')}
              </Button>
            </div>
          ))}
          <Group>
            <Button variant="default" onClick={() => form.insertListItem('rows', NEW_ROW)}>
              {t('add')}
            </Button>
          </Group>
        </fieldset>
        <Checkbox
          label={t('netMetering')}
          description={t('netMeteringHint')}
          {...form.getInputProps('netMetering', { type: 'checkbox' })}
        />
        {form.values.netMetering && (
          <div className={classes.prices}>
            <NativeSelect
              label={t('settled')}
              data={[
                { value: 'month', label: t('settledMonth') },
                { value: 'year', label: t('settledYear') },
              ]}
              {...form.getInputProps('settled')}
            />
            <NativeSelect label={t('yearEnds')} data={months} {...form.getInputProps('yearEnds')} />
          </div>
        )}
        {latest !== undefined && (
          <Checkbox
            label={t('correctPast')}
            checked={mayReprice}
            onChange={({ currentTarget }) => setReprice(currentTarget.checked)}
          />
        )}
        <Group>
          <Button type="submit" loading={form.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The months of a year by their names, from January, whose value is 1. */
function monthChoices(locale: string): { value: string; label: string }[] {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, i) => ({
    value: String(i + 1),
    label: format.format(Date.UTC(2026, i)),
  }));
}

const HOURS = Array.from({ length: 25 }, (_, hour) => String(hour));
