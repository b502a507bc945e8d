import type { AuditEntry } from '@heliograph/client';
import { isAuditAction } from '@heliograph/contracts/audit-actions';
import { formatRate } from '@heliograph/contracts/currencies';
import { isLocale, LANGUAGE_NAMES } from '@heliograph/contracts/locales';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { regionalTag } from '../../../shared/format/region.ts';
import { useFormat } from '../../../shared/format/use-format.ts';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { NamedSite } from '../../ui/named-site.tsx';
import { Tags } from '../../ui/tags/tags.tsx';
import classes from './audit.module.css';
import { auditDetails } from './audit-details.ts';
import { isKnownDetail, SCOPES, valueLabel } from './detail-labels.ts';
import { groupEntries } from './group-entries.ts';
import { isRecordedRate, type RecordedRate } from './shop-details.ts';

const TIMES: readonly string[] = ['expires_at', 'signs_from', 'last_attempt'];

/** The details of an entry besides its actor, time and target, in the reader's language. */
function useDetailLabels({ action, details, actor, user }: AuditEntry): readonly string[] {
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
function personLabel({ name, email }: NonNullable<AuditEntry['user']>): string {
  return name === '' ? email : `${name} (${email})`;
}

interface AuditListProps {
  readonly entries: readonly AuditEntry[];
  /** Whether the reader runs the service. */
  readonly isOperators?: boolean;
  /** Whether a filter leaves entries out. */
  readonly isFiltered?: boolean;
}

/** Audit entries, the newest first; what happened several times in a row is one row. */
export function AuditList({ entries, isOperators = false, isFiltered = false }: AuditListProps) {
  const { t } = useTranslation('organization');
  const { t: audit } = useTranslation('audit');
  if (entries.length === 0) return <Empty title={isFiltered ? audit('noneFound') : t('audit.none')} />;
  return (
    <Rows label={t('audit.title')}>
      {groupEntries(entries).map((group) => (
        <AuditRow key={group.at(-1)?.id} group={group} isOperators={isOperators} />
      ))}
    </Rows>
  );
}

interface AuditRowProps {
  /** Entries that differ in their times, addresses and details alone. */
  readonly group: readonly AuditEntry[];
  /** Whether the reader runs the service: there are pages about everything for them. */
  readonly isOperators: boolean;
}

function AuditRow({ group, isOperators }: AuditRowProps) {
  const { t } = useTranslation('organization');
  const [entry] = group;
  if (entry === undefined) return null;
  const { action, actor, user, via, device_uid: device } = entry;
  const { site_id: site, organization_id: organization, user_id: account } = entry;
  const through = viaLabel(via);
  return (
    <Row
      title={isAuditAction(action) ? t(`actions.${action}`) : action}
      facts={[
        <Time key="at" at={entry.at} />,
        actor !== null && (
          <AuditLink to={isOperators && searchPath('/operator/users', actor.email)}>
            {personLabel(actor)}
          </AuditLink>
        ),
        site !== null && (
          <NamedSite key="site" site={{ id: site, name: entry.site_name }}>
            {t('audit.site', { name: entry.site_name ?? site })}
          </NamedSite>
        ),
        isOperators && organization !== null && (
          <AuditLink to={`/organizations/${organization}`}>
            {t('audit.organization', { name: entry.organization_name ?? organization })}
          </AuditLink>
        ),
        account !== null && account !== actor?.id && (
          <AuditLink to={isOperators && user !== null && searchPath('/operator/users', user.email)}>
            {t('audit.account', { name: user === null ? account : personLabel(user) })}
          </AuditLink>
        ),
        device !== null && (
          <AuditLink to={isOperators && searchPath('/operator', device)}>
            {t('audit.device', { uid: device })}
          </AuditLink>
        ),
        through === undefined ? via : t(through),
        group.length === 1 && entry.address,
      ]}
    >
      {group.length === 1 ? <Details entry={entry} /> : <Repetitions group={group} />}
    </Row>
  );
}

/** How often something happened in a row, and each time on demand. */
function Repetitions({ group }: Pick<AuditRowProps, 'group'>) {
  const { t } = useTranslation('audit');
  return (
    <details>
      <summary className={classes.summary}>{t('times', { count: group.length })}</summary>
      <ul className={classes.repetitions}>
        {group.map((entry) => (
          <li key={entry.id}>
            <span className={classes.facts}>
              <Time at={entry.at} />
              {entry.address !== null && <span>{entry.address}</span>}
            </span>
            <Details entry={entry} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Time({ at }: Pick<AuditEntry, 'at'>) {
  const format = useFormat();
  return <time dateTime={at}>{format.dateTime(at)}</time>;
}

/** The changes of an entry. */
function Details({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation('organization');
  const details = useDetailLabels(entry);
  return details.length > 0 && <Tags label={t('audit.details')} tags={details} />;
}

function searchPath(path: string, text: string): string {
  return `${path}?${new URLSearchParams({ q: text })}`;
}

interface AuditLinkProps {
  /** The page of the subject; false where the reader has no access to it. */
  readonly to: string | false;
  readonly children: ReactNode;
}

/** The subject of an entry. */
function AuditLink({ to, children }: AuditLinkProps) {
  return to === false ? children : <Link href={to}>{children}</Link>;
}

/** Through what something was done, by the name that the record has for it. */
const VIA_LABELS = {
  api: 'via.api',
  admin: 'via.admin',
  device: 'via.device',
  service: 'via.service',
} as const;

type Via = keyof typeof VIA_LABELS;

/** @returns undefined for what a newer service may record */
function viaLabel(via: string): (typeof VIA_LABELS)[Via] | undefined {
  return Object.hasOwn(VIA_LABELS, via) ? VIA_LABELS[via as Via] : undefined;
}
