import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearch } from 'wouter';
import { ChoiceBar } from '../components/choice/choice-bar.tsx';
import { SearchField } from '../components/form/search-field.tsx';
import { Empty } from '../components/states/empty.tsx';
import { useDeviceLabel } from '../format/device-label.ts';
import { useDefinitions, useLiveStatus } from '../live/live-context.tsx';
import { useMetricNames } from '../metric-names/use-metric-names.ts';
import { byDevice, matchesSearch } from '../metrics/grouping.ts';
import { MetricsUnavailable } from '../metrics/metrics-unavailable.tsx';
import classes from './metrics-of-site.module.css';
import { type MetricsSelection, searchOf, selectionOf } from './metrics-selection.ts';
import { SUBJECTS, subjectOf } from './subjects.ts';
import { UnitGroup } from './unit-group.tsx';
import { useSubjectLabel } from './use-subject-label.ts';

interface MetricsOfSiteProps {
  /** The page of curves, such as `/history`. */
  readonly historyPath: string;
}

/** Everything that the device measures or knows, as it comes, by unit and by subject. Closed units take no time. */
export function MetricsOfSite({ historyPath }: MetricsOfSiteProps) {
  const { t } = useTranslation('metrics');
  const heading = useDeviceLabel();
  const subjectLabel = useSubjectLabel();
  const { nameOf } = useMetricNames();
  const definitions = useDefinitions();
  const { state } = useLiveStatus();
  const selection = selectionOf(useSearch());
  const [path, navigate] = useLocation();
  const [target, setTarget] = useState<string>();
  if (definitions.length === 0) return <MetricsUnavailable />;
  const { search, subject } = selection;
  const show = (part: Partial<MetricsSelection>): void =>
    navigate(`${path}?${searchOf({ ...selection, ...part })}`, { replace: true });
  const found = definitions.filter(
    (definition) =>
      (subject === undefined || subjectOf(definition) === subject) &&
      (search === '' ||
        matchesSearch(
          definition,
          search,
          `${heading(definition.device, definition.number)} ${nameOf(definition)}`,
        )),
  );
  const units = byDevice(found).map((unit) => ({
    ...unit,
    prefix: unit.definitions[0]?.topic.split('/')[0] ?? '',
    title: heading(unit.device, unit.number),
  }));
  const isNarrowed = search !== '' || subject !== undefined;
  const open = selection.open ?? (isNarrowed ? units : units.slice(0, 1)).map(({ prefix }) => prefix);
  const present = new Set(definitions.map(subjectOf));
  return (
    <div className={classes.metrics} data-old={state !== 'live' || undefined}>
      <div className={classes.head}>
        <SearchField
          label={t('search')}
          value={search}
          onChange={(text) => show({ search: text, open: undefined })}
        />
        <p className={classes.count} role="status">
          {t('count', { count: found.length })}
        </p>
      </div>
      <ChoiceBar
        label={t('subject.label')}
        choices={[
          { value: 'all', label: t('subject.all') },
          ...SUBJECTS.filter((one) => present.has(one)).map((one) => ({
            value: one,
            label: subjectLabel(one),
          })),
        ]}
        value={subject ?? 'all'}
        onChange={(value) => show({ subject: value === 'all' ? undefined : value, open: undefined })}
      />
      {units.length > 1 && (
        <nav className={classes.jump} aria-label={t('jump')}>
          {units.map(({ prefix, title }) => (
            <a
              key={prefix}
              href={`#${prefix}`}
              onClick={(event) => {
                event.preventDefault();
                setTarget(prefix);
                show({ open: [...new Set([...open, prefix])] });
              }}
            >
              {title}
            </a>
          ))}
        </nav>
      )}
      {units.length === 0 && <Empty title={t('nothingFound', { search })} />}
      {units.map(({ prefix, title, device, definitions: ofUnit }) => (
        <UnitGroup
          key={prefix}
          prefix={prefix}
          title={title}
          hasCells={device === 'batteries'}
          definitions={ofUnit}
          historyPath={historyPath}
          isOpen={open.includes(prefix)}
          isTarget={target === prefix}
          onReached={() => setTarget(undefined)}
          onToggle={() =>
            show({
              open: open.includes(prefix) ? open.filter((one) => one !== prefix) : [...open, prefix],
            })
          }
        />
      ))}
    </div>
  );
}
