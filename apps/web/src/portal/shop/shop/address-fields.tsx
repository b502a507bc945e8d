import type { NewAddress } from '@heliograph/contracts';
import { normalizeTyped } from '@heliograph/contracts/typed-text';
import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './address-fields.module.css';
import { countriesIn } from './countries.ts';

/** An address as a form has it: empty for what is left out. */
export interface AddressValues {
  readonly name: string;
  readonly company: string;
  readonly line1: string;
  readonly line2: string;
  readonly postalCode: string;
  readonly city: string;
  readonly region: string;
  readonly country: string;
  readonly phone: string;
}

export const EMPTY_ADDRESS: AddressValues = {
  name: '',
  company: '',
  line1: '',
  line2: '',
  postalCode: '',
  city: '',
  region: '',
  country: '',
  phone: '',
};

const LABELS = {
  name: 'address.name',
  company: 'address.company',
  line1: 'address.line1',
  line2: 'address.line2',
  postalCode: 'address.postalCode',
  city: 'address.city',
  region: 'address.region',
  country: 'address.country',
  phone: 'address.phone',
} as const satisfies Record<keyof AddressValues, string>;

/** The fields that every address needs. */
const REQUIRED = ['name', 'line1', 'city', 'country'] as const satisfies readonly (keyof AddressValues)[];

/** The required fields that are empty. */
export function missingIn(address: AddressValues): readonly (keyof AddressValues)[] {
  return REQUIRED.filter((field) => address[field].trim() === '');
}

export function newAddressOf(values: AddressValues, vatNumber: string | null): NewAddress {
  const { name, line1, city, country } = values;
  const optional = (text: string) => text.trim() || null;
  return {
    name,
    company: optional(values.company),
    line1,
    line2: optional(values.line2),
    city,
    region: optional(values.region),
    postal_code: optional(values.postalCode),
    country,
    phone: optional(values.phone),
    vat_number: normalizeTyped(vatNumber ?? '') || null,
  };
}

interface AddressFieldsProps {
  readonly legend: string;
  /** Properties of the input of a field. */
  readonly input: (field: keyof AddressValues) => object;
  /** The destination that browsers fill in: of a parcel, or of a bill. */
  readonly section: 'shipping' | 'billing';
}

export function AddressFields({ legend, input, section }: AddressFieldsProps) {
  const { t, i18n } = useTranslation('shop');
  const countries = useMemo(() => countriesIn(i18n.language), [i18n.language]);
  const field = (name: keyof AddressValues, autoComplete: string) => ({
    label: t(LABELS[name]),
    autoComplete: `${section} ${autoComplete}`,
    maxLength: name === 'postalCode' ? 20 : name === 'phone' ? 50 : 200,
    ...input(name),
  });
  return (
    <fieldset className={classes.fields}>
      <legend className={classes.legend}>{legend}</legend>
      <TextInput required {...field('name', 'name')} />
      <TextInput {...field('company', 'organization')} />
      <TextInput required {...field('line1', 'address-line1')} />
      <TextInput {...field('line2', 'address-line2')} />
      <Group gap="md" grow align="start">
        <TextInput {...field('postalCode', 'postal-code')} />
        <TextInput required {...field('city', 'address-level2')} />
      </Group>
      <TextInput {...field('region', 'address-level1')} />
      <NativeSelect
        required
        label={t(LABELS.country)}
        autoComplete={`${section} country`}
        data={[
          { value: '', label: '' },
          ...countries.map(({ code, name }) => ({ value: code, label: name })),
        ]}
        {...input('country')}
      />
      <TextInput type="tel" {...field('phone', 'tel')} />
    </fieldset>
  );
}
