import type { MetricDefinition } from '@heliograph/client';
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../../shared/components/form/search-field.tsx';
import { Empty } from '../../shared/components/states/empty.tsx';
import { useDeviceLabel } from '../../shared/format/device-label.ts';
import { useDefinitions, useLive } from '../../shared/live/live-context.tsx';
import { byDevice, matchesSearch } from '../../shared/metrics/grouping.ts';
import classes from './history-page.module.css';

interface TopicListProps {
  readonly chosen: readonly string[];
  /** Whether no more can be added. */
  readonly isFull: boolean;
  readonly onAdd: (topic: string) => void;
  readonly onTakeAway: (topic: string) => void;
}

/** Everything that has curves, by what it belongs to. What is a text has none. */
export function TopicList({ chosen, isFull, onAdd, onTakeAway }: TopicListProps) {
  const { t } = useTranslation('site');
  const heading = useDeviceLabel();
  const { values } = useLive();
  const [search, setSearch] = useState('');
  const hasCurve = ({ topic }: MetricDefinition): boolean => typeof values.get(topic)?.value !== 'string';
  const found = useDefinitions().filter(
    (definition) =>
      hasCurve(definition) &&
      matchesSearch(definition, search, heading(definition.device, definition.number)),
  );
  return (
    <>
      <div className={classes.search}>
        <SearchField label={t('history.search')} value={search} onChange={setSearch} />
      </div>
      {found.length === 0 && <Empty title={t('history.nothingFound')} />}
      <div className={classes.groups}>
        {byDevice(found).map(({ key, device, number, definitions }) => (
          <fieldset key={key} className={classes.group}>
            <legend>{heading(device, number)}</legend>
            {definitions.map(({ topic, name, unit }) => (
              <Checkbox
                key={topic}
                className={classes.topic ?? ''}
                label={unit === '' ? name : `${name} (${unit})`}
                checked={chosen.includes(topic)}
                disabled={isFull && !chosen.includes(topic)}
                onChange={({ currentTarget }) => (currentTarget.checked ? onAdd(topic) : onTakeAway(topic))}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </>
  );
}
