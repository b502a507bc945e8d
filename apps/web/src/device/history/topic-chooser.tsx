import type { MetricDefinition } from '@heliograph/client';
import { Button, Checkbox, CloseButton, Group, Stack, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { SearchField } from '../../shared/components/form/search-field.tsx';
import { Empty } from '../../shared/components/states/empty.tsx';
import { topicName } from '../../shared/energy/topic-names.ts';
import { useDeviceLabel } from '../../shared/format/device-label.ts';
import { useDefinitions, useLive } from '../../shared/live/live-context.tsx';
import { byDevice, matchesSearch } from '../../shared/metrics/grouping.ts';
import classes from './history-page.module.css';
import { MAX_TOPICS } from './history-selection.ts';

interface TopicChooserProps {
  readonly chosen: readonly string[];
  readonly onChange: (topics: readonly string[]) => void;
}

/** Which curves are shown, and the way to others. */
export function TopicChooser({ chosen, onChange }: TopicChooserProps) {
  const { t } = useTranslation('history');
  const titleOf = useTopicTitles();
  const [isOpen, setOpen] = useState(false);
  const list = useId();
  const take = (topic: string): void => onChange(chosen.filter((one) => one !== topic));
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <ul className={classes.chosen} aria-label={t('chosen')}>
          {chosen.map((topic) => (
            <li key={topic} className={classes.choice}>
              <span>{titleOf(topic)}</span>
              <CloseButton
                size={44}
                radius="xl"
                iconSize={16}
                aria-label={t('takeAway', { name: titleOf(topic) })}
                onClick={() => take(topic)}
              />
            </li>
          ))}
        </ul>
        <Button
          variant="default"
          aria-expanded={isOpen}
          aria-controls={list}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('closeChooser') : t('choose')}
        </Button>
      </Group>
      <div id={list} hidden={!isOpen}>
        {isOpen && (
          <Card title={t('chooserTitle')}>
            {chosen.length >= MAX_TOPICS && (
              <Text size="sm" role="status">
                {t('most', { count: MAX_TOPICS })}
              </Text>
            )}
            <TopicList
              chosen={chosen}
              isFull={chosen.length >= MAX_TOPICS}
              onAdd={(topic) => onChange([...chosen, topic])}
              onTakeAway={take}
            />
          </Card>
        )}
      </div>
    </Stack>
  );
}

/** The name of a topic without a heading above it: "Inverter 1: PV voltage". */
function useTopicTitles(): (topic: string) => string {
  const { t } = useTranslation('site');
  const heading = useDeviceLabel();
  const definitions = new Map(useDefinitions().map((definition) => [definition.topic, definition]));
  return (topic) => {
    const definition = definitions.get(topic);
    return (
      topicName(topic, t) ??
      (definition === undefined
        ? topic
        : `${heading(definition.device, definition.number)}: ${definition.name}`)
    );
  };
}

interface TopicListProps {
  readonly chosen: readonly string[];
  /** Whether no more can be added. */
  readonly isFull: boolean;
  readonly onAdd: (topic: string) => void;
  readonly onTakeAway: (topic: string) => void;
}

/** Everything that has curves, by what it belongs to. What is a text has none. */
function TopicList({ chosen, isFull, onAdd, onTakeAway }: TopicListProps) {
  const { t } = useTranslation('history');
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
        <SearchField label={t('search')} value={search} onChange={setSearch} />
      </div>
      {found.length === 0 && <Empty title={t('nothingFound')} />}
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
