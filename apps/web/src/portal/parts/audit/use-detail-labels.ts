import type { AuditEntry } from '@heliograph/client';
import { formatRate } from '@heliograph/contracts/currencies';
import { isLocale, LANGUAGE_NAMES } from '@heliograph/contracts/locales';
import { useTranslation } from 'react-i18next';
import { regionalTag } from '../../../shared/format/region.ts';
import { useFormat } from '../../../shared/format/use-format.ts';
import { auditDetails } from './audit-details.ts';
import { isKnownDetail, SCOPES, valueLabel } from './detail-labels.ts';
import { isRecordedRate, type RecordedRate } from './shop-details.ts';

const TIMES: readonly string[] = ['expires_at', 'signs_from', 'last_attempt'];

/** The details of an entry besides its actor, time and target, in the reader's language. */
export function useDetailLabels({ action, details, actor, user }: AuditEntry): readonly string[] {
  const { t, i18n } = useTranslation(['organization', 'tickets', 'staff']);
  const { t: account } = useTranslation('account');
  const format = useFormat();

  return auditDetails(action, details).map(({ name, value, ...detail }) => {
    const shown = valueLabelOf(name, value);
    const text = 'before' in detail ? `${valueLabelOf(name, detail.before)} → ${shown}` : shown;
    const label = isKnownDetail(name) ? t(`details.${name}`) : name;
    return label === '' ? text : t('audit.change', { name: label, value: text });
  });

  function valueLabelOf(name: string, value: unknown): string {
    if (value === null || value === undefined || value === '') return t('audit.nothing');
    if (Array.isArray(value))
      return value.map((one) => valueLabelOf(name, one)).join(', ') || t('audit.nothing');
    const known = valueLabel(name, value);
    if (known !== undefined) return t(known);
    if (typeof value === 'boolean') return value ? t('audit.yes') : t('audit.no');
    if (typeof value === 'object') return isRecordedRate(value) ? rateLabel(value) : JSON.stringify(value);
    if (name === 'owner') return ownerLabel(value);
    if (typeof value !== 'string') return `${value}`;
    if (name === 'country') return countryLabel(value);
    if (TIMES.includes(name)) return format.dateTime(value);
    if (name === 'scopes' && Object.hasOwn(SCOPES, value)) return account(SCOPES[value] ?? 'scopes.title');
    return name === 'locale' && isLocale(value) ? LANGUAGE_NAMES[value] : value;
  }

  /** `VAT 19% (Germany, Standard rate)`. */
  function rateLabel({ name, rate, country, region, category }: RecordedRate): string {
    const percentage = formatRate(rate, regionalTag(i18n.language));
    const places = [countryLabel(country), region, valueLabelOf('tax_category', category)];
    return `${name} ${percentage} (${places.filter((part) => part !== undefined).join(', ')})`;
  }

  function countryLabel(code: string): string {
    return new Intl.DisplayNames(i18n.language, { type: 'region' }).of(code) ?? code;
  }

  /** A record of who owns a site has numbers of accounts. */
  function ownerLabel(id: unknown): string {
    const person = [user, actor].find((one) => one?.id === id);
    return person ? personLabel(person) : t('audit.account', { name: `${id}` });
  }
}

/** A person's name with the address: names are not unique, and a record has to be. */
export function personLabel({ name, email }: NonNullable<AuditEntry['user']>): string {
  return name === '' ? email : `${name} (${email})`;
}
