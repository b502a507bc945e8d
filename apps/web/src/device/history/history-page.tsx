import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearch } from 'wouter';
import { ErrorBoundary } from '../../shared/components/states/error-boundary.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { HistoryCurve } from '../../shared/energy/history-curve.tsx';
import { RangeChooser } from '../../shared/energy/range-chooser.tsx';
import classes from './history-page.module.css';
import { type HistorySelection, searchOf, selectionOf } from './history-selection.ts';
import { TopicChooser } from './topic-chooser.tsx';

/** The past of anything that the device measures. */
export function Page() {
  const { t } = useTranslation('history');
  const search = useSearch();
  const [path, navigate] = useLocation();
  // Curves are read again when their topics are another list.
  const shown = useMemo(() => selectionOf(search), [search]);
  const show = (part: Partial<HistorySelection>): void =>
    navigate(`${path}?${searchOf({ ...shown, ...part })}`, { replace: true });
  return (
    <Stack gap="lg">
      <div className={classes.head}>
        <PageTitle text={t('title')} />
        <RangeChooser value={shown.range} onChange={(range) => show({ range })} />
      </div>
      <TopicChooser chosen={shown.topics} onChange={(topics) => show({ topics })} />
      <section className={classes.card} aria-label={t('curves')}>
        {shown.topics.length === 0 ? (
          <Text c="dimmed">{t('nothingChosen')}</Text>
        ) : (
          <ErrorBoundary>
            <HistoryCurve topics={shown.topics} range={shown.range} height={380} />
          </ErrorBoundary>
        )}
      </section>
    </Stack>
  );
}
