import type { MetricDefinition } from '@heliograph/client';
import { VisuallyHidden } from '@mantine/core';
import { Fragment, memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { CopyButton } from '../components/copy/copy-button.tsx';
import { SearchField } from '../components/form/search-field.tsx';
import { Empty } from '../components/states/empty.tsx';
import { useDeviceLabel } from '../format/device-label.ts';
import { useDefinitions, useLiveStatus, useLiveValue } from '../live/live-context.tsx';
import { byDevice, byGroup, matchesSearch } from './grouping.ts';
import classes from './metric-table.module.css';
import { MetricsUnavailable } from './metrics-unavailable.tsx';
import { type FormatValue, useFormatValue } from './use-format-value.ts';

/** Everything that the device measures or knows, as it comes. */
export function MetricTable() {
  const { t } = useTranslation('metrics');
  const heading = useDeviceLabel();
  const groupLabel = useGroupLabel();
  const definitions = useDefinitions();
  const { state } = useLiveStatus();
  const [search, setSearch] = useState('');
  if (definitions.length === 0) return <MetricsUnavailable />;
  const found = definitions.filter((definition) =>
    matchesSearch(definition, search, heading(definition.device, definition.number)),
  );
  return (
    <div className={classes.metrics} data-old={state !== 'live' || undefined}>
      <div className={classes.head}>
        <SearchField label={t('search')} value={search} onChange={setSearch} />
        <p className={classes.count} role="status">
          {t('count', { count: found.length })}
        </p>
      </div>
      {found.length === 0 && <Empty title={t('nothingFound', { search })} />}
      {byDevice(found).map(({ key, device, number, definitions: ofDevice }) => (
        <Card key={key} title={heading(device, number)}>
          {byGroup(ofDevice).map(({ group, definitions: rows }) => (
            <table key={group} className={classes.table}>
              <caption>{groupLabel(group)}</caption>
              <thead>
                <tr>
                  <Column label={t('column.name')} />
                  <Column label={t('column.value')} />
                  <Column label={t('column.copy')} />
                </tr>
              </thead>
              <tbody>
                <MetricRows definitions={rows} />
              </tbody>
            </table>
          ))}
        </Card>
      ))}
    </div>
  );
}

/** The labels of groups; an unknown group keeps the device's name for it. */
function useGroupLabel(): (group: string) => string {
  const { t } = useTranslation('metrics');
  return (group) => {
    switch (group) {
      case 'Status':
        return t('group.status');
      case 'Settings':
        return t('group.settings');
      case 'Info':
        return t('group.info');
      default:
        return group;
    }
  };
}

interface MetricValueTextProps {
  readonly definition: MetricDefinition;
  /** Passed as a prop: looking up texts again takes longer than all else of a changing value. */
  readonly shown: FormatValue;
  /** The mark of a value that is too old. */
  readonly staleLabel: string;
}

/** A metric's value as it comes; of a table with hundreds, nothing but this renders again. */
function MetricValueText({ definition: { topic, unit }, shown, staleLabel }: MetricValueTextProps) {
  const live = useLiveValue(topic);
  const value = live?.value ?? null;
  return (
    <span
      className={typeof value === 'string' ? classes.text : classes.number}
      data-unknown={value === null || undefined}
    >
      {live?.stale === true && <span className={classes.stale}>{staleLabel}</span>}
      {shown(value, unit)}
    </span>
  );
}

interface MetricRowsProps {
  readonly definitions: readonly MetricDefinition[];
}

function MetricRows({ definitions }: MetricRowsProps) {
  const shown = useFormatValue();
  return definitions.map((definition) => (
    <MetricRow key={definition.topic} definition={definition} shown={shown} />
  ));
}

interface MetricRowProps {
  readonly definition: MetricDefinition;
  readonly shown: FormatValue;
}

/** Rendered once: what a metric is does not change while a page is open. */
const MetricRow = memo(function MetricRow({ definition, shown }: MetricRowProps) {
  const { t } = useTranslation('metrics');
  const { topic, name } = definition;
  return (
    <tr>
      <th scope="row">
        <span className={classes.name}>{name}</span>
        <Topic topic={topic} />
      </th>
      <td className={classes.value}>
        <MetricValueText definition={definition} shown={shown} staleLabel={t('stale')} />
      </td>
      <td className={classes.copy}>
        <CopyButton isIcon text={topic} label={t('copyTopic', { topic })} />
      </td>
    </tr>
  );
});

/** Broken, where it has to be, at the ends of its label. */
function Topic({ topic }: { readonly topic: string }) {
  return (
    <code className={classes.topic}>
      {topic.split(/(?<=[/_])/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a topic never change their places
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </code>
  );
}

/** For screen readers only: sighted readers see a name beside its value. */
function Column({ label }: { readonly label: string }) {
  return (
    <th scope="col">
      <VisuallyHidden>{label}</VisuallyHidden>
    </th>
  );
}
