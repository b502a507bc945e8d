import { Button, CloseButton, Group, Stack, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import classes from './history-page.module.css';
import { MAX_TOPICS } from './history-selection.ts';
import { TopicList } from './topic-list.tsx';
import { useTopicTitles } from './use-topic-titles.ts';

interface TopicChooserProps {
  readonly chosen: readonly string[];
  readonly onChange: (topics: readonly string[]) => void;
}

/** Which curves are shown, and the way to others. */
export function TopicChooser({ chosen, onChange }: TopicChooserProps) {
  const { t } = useTranslation('site');
  const titleOf = useTopicTitles();
  const [isOpen, setOpen] = useState(false);
  const list = useId();
  const take = (topic: string): void => onChange(chosen.filter((one) => one !== topic));
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <ul className={classes.chosen} aria-label={t('history.chosen')}>
          {chosen.map((topic) => (
            <li key={topic} className={classes.choice}>
              <span>{titleOf(topic)}</span>
              <CloseButton
                size={44}
                radius="xl"
                iconSize={16}
                aria-label={t('history.takeAway', { name: titleOf(topic) })}
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
          {isOpen ? t('history.closeChooser') : t('history.choose')}
        </Button>
      </Group>
      <div id={list} hidden={!isOpen}>
        {isOpen && (
          <Card title={t('history.chooserTitle')}>
            {chosen.length >= MAX_TOPICS && (
              <Text size="sm" role="status">
                {t('history.most', { count: MAX_TOPICS })}
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
