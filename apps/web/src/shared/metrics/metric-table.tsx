import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { SearchField } from '../components/form/search-field.tsx';
import { Empty } from '../components/states/empty.tsx';
import { useDeviceLabel } from '../format/device-label.ts';
import { useDefinitions, useLiveStatus } from '../live/live-context.tsx';
import { byDevice, byGroup, matchesSearch } from './grouping.ts';
import { MetricRows } from './metric-rows.tsx';
import classes from './metric-table.module.css';
import { MetricsUnavailable } from './metrics-unavailable.tsx';
import { useGroupLabel } from './use-group-words.ts';

/** Everything that the device measures or knows, as it comes. */
export function MetricTable() {
  const { t } = useTranslation('site');
  const heading = useDeviceLabel();
  const groupWords = useGroupLabel();
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
        <SearchField label={t('metrics.search')} value={search} onChange={setSearch} />
        <p className={classes.count} role="status">
          {t('metrics.count', { count: found.length })}
        </p>
      </div>
      {found.length === 0 && <Empty title={t('metrics.nothingFound', { search })} />}
      {byDevice(found).map(({ key, device, number, definitions: ofDevice }) => (
        <Card key={key} title={heading(device, number)}>
          {byGroup(ofDevice).map(({ group, definitions: rows }) => (
            <table key={group} className={classes.table}>
              <caption>{groupWords(group)}</caption>
              <thead>
                <tr>
                  <Column words={t('metrics.column.name')} />
                  <Column words={t('metrics.column.value')} />
                  <Column words={t('metrics.column.copy')} />
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

/** Seen by nobody, who sees a name beside its value, and heard by those who do not. */
function Column({ words }: { readonly words: string }) {
  return (
    <th scope="col">
      <VisuallyHidden>{words}</VisuallyHidden>
    </th>
  );
}
